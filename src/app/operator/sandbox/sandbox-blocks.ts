import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import type { Environment } from '#app/settings/environment.js';
import { refused, type Reorganisation } from './reorganise-chain.js';

/** The second network of a sandbox: its node mines nothing by itself, and the sandbox's process makes its blocks. */
export const BITCOIN_SANDBOX = 'sandbox-bitcoin';

/** No block of it may be dated two hours ahead of real time. */
export const MOST_MINUTES_AHEAD = 110;

const ANSWERS_WITHIN_MS = 120_000;

/** Replaces its newest blocks by more. @throws DomainError with the reason as a sentence */
export function replaceBlocks(
  environment: Environment,
  depth: number,
  keep: boolean,
): Promise<Reorganisation> {
  return askForBlocks<Reorganisation>(environment, { reorganise: depth, keep });
}

/** Brings its clock to a time of the service; without one the clock stays. @returns where it stands then */
export async function bringBlocksTo(environment: Environment, time?: Date): Promise<Date> {
  const { chain_time } = await askForBlocks<{ chain_time: string }>(environment, { time });
  return new Date(chain_time);
}

/** The sandbox's process makes blocks where its wallet is. */
async function askForBlocks<Answer>(
  { CHECKOUT_SANDBOX_WALLET_URL: url }: Environment,
  body: object,
): Promise<Answer> {
  if (!url)
    throw refused(
      'CHECKOUT_SANDBOX_WALLET_URL is not set. Only the sandbox’s process can create Bitcoin blocks.',
    );
  const response = await outgoingFetch(`${url}/blocks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
  }).catch(() => undefined);
  if (response === undefined)
    throw refused(`No sandbox is running at ${url}. Start one with npm start -- --bitcoin.`);
  const answer = (await response.json()) as Answer & { message?: string };
  if (!response.ok) throw refused(answer.message ?? `The sandbox responded with status ${response.status}.`);
  return answer;
}
