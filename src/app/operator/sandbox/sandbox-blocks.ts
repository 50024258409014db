import { stateConflict } from '#shared/kernel/domain-error.js';
import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import type { Environment } from '#app/settings/environment.js';
import type { Reorganisation } from './reorganise-chain.js';

/** Name of the sandbox's Bitcoin network. The sandbox's process creates its blocks, because the node does not mine. */
export const BITCOIN_SANDBOX = 'sandbox-bitcoin';

/** Maximum minutes by which blocks may be ahead of real time. Bitcoin nodes reject blocks two hours ahead. */
export const MOST_MINUTES_AHEAD = 110;

const ANSWERS_WITHIN_MS = 120_000;

/**
 * Replaces the newest Bitcoin blocks by a longer chain.
 * @throws DomainError with the reason
 */
export function replaceBlocks(
  environment: Environment,
  depth: number,
  keep: boolean,
): Promise<Reorganisation> {
  return askForBlocks<Reorganisation>(environment, { reorganise: depth, keep });
}

/**
 * Moves the sandbox's Bitcoin chain to this time. Without a time, only reads the current time of the chain.
 * @returns the time of the Bitcoin chain
 */
export async function bringBlocksTo(environment: Environment, time?: Date): Promise<Date> {
  const { chain_time } = await askForBlocks<{ chain_time: string }>(environment, { time });
  return new Date(chain_time);
}

/** Sends a request to the sandbox's process, at its wallet's URL. */
async function askForBlocks<Answer>(
  { CHECKOUT_SANDBOX_WALLET_URL: url }: Environment,
  body: object,
): Promise<Answer> {
  if (!url)
    throw stateConflict(
      'CHECKOUT_SANDBOX_WALLET_URL is not set. Only the sandbox’s process can create Bitcoin blocks.',
    );
  const response = await outgoingFetch(`${url}/blocks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
  }).catch(() => undefined);
  if (response === undefined)
    throw stateConflict(`No sandbox is running at ${url}. Start one with npm start -- --bitcoin.`);
  const answer = (await response.json()) as Answer & { message?: string };
  if (!response.ok)
    throw stateConflict(answer.message ?? `The sandbox responded with status ${response.status}.`);
  return answer;
}
