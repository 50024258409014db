import { stateConflict } from '#shared/kernel/domain-error.js';
import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import type { EnvironmentVariables } from '#app/settings/environment.js';
import type { Reorganization } from './reorganize-chain.js';

/** The sandbox's process creates its Bitcoin blocks. */
export const SANDBOX_BITCOIN_NETWORK = 'sandbox-bitcoin';

export const MAX_BLOCK_MINUTES_AHEAD = 110;

const SANDBOX_TIMEOUT_MS = 120_000;

/** @throws DomainError with the reason */
export function reorganizeBitcoinChain(
  environment: EnvironmentVariables,
  depth: number,
  keep: boolean,
): Promise<Reorganization> {
  return requestBlocks<Reorganization>(environment, { reorganize: depth, keep });
}

/** Without a time, only reads. @returns the time of the Bitcoin chain */
export async function advanceBitcoinChainTo(environment: EnvironmentVariables, time?: Date): Promise<Date> {
  const { chain_time } = await requestBlocks<{ chain_time: string }>(environment, { time });
  return new Date(chain_time);
}

async function requestBlocks<Answer>(
  { CHECKOUT_SANDBOX_WALLET_URL: url }: EnvironmentVariables,
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
    signal: AbortSignal.timeout(SANDBOX_TIMEOUT_MS),
  }).catch(() => undefined);
  if (response === undefined)
    throw stateConflict(`No sandbox is running at ${url}. Start one with npm start -- --bitcoin.`);
  const answer = (await response.json()) as Answer & { message?: string };
  if (!response.ok)
    throw stateConflict(answer.message ?? `The sandbox responded with status ${response.status}.`);
  return answer;
}
