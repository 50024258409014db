import { stateConflict } from '#shared/kernel/domain-error.js';
import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import type { EnvironmentVariables } from '#app/settings/environment.js';
import type { Reorganization } from './reorganize-chain.js';

/** Networks whose blocks the sandbox's process creates, with the name that it gives them. */
export const SANDBOX_BITCOIN_NETWORK = 'sandbox-bitcoin';
export const SANDBOX_TRON_NETWORK = 'sandbox-tron';
const MADE_CHAINS: Readonly<Record<string, string>> = {
  [SANDBOX_BITCOIN_NETWORK]: 'bitcoin',
  [SANDBOX_TRON_NETWORK]: 'tron',
};

export function isMadeBySandbox(network: string): boolean {
  return network in MADE_CHAINS;
}

export const MAX_BLOCK_MINUTES_AHEAD = 110;

const SANDBOX_TIMEOUT_MS = 120_000;

/** @throws DomainError with the reason */
export function reorganizeMadeChain(
  environment: EnvironmentVariables,
  network: string,
  depth: number,
  keep: boolean,
): Promise<Reorganization> {
  const request = { chain: MADE_CHAINS[network], reorganize: depth, keep };
  return requestBlocks<Reorganization>(environment, request);
}

/** Without a time, only reads. @returns the time of the chain */
export async function advanceMadeChainTo(
  environment: EnvironmentVariables,
  network: string,
  time?: Date,
): Promise<Date> {
  const request = { chain: MADE_CHAINS[network], time };
  const { chain_time } = await requestBlocks<{ chain_time: string }>(environment, request);
  return new Date(chain_time);
}

async function requestBlocks<Answer>(
  { CHECKOUT_SANDBOX_WALLET_URL: url }: EnvironmentVariables,
  body: object,
): Promise<Answer> {
  if (!url)
    throw stateConflict(
      'CHECKOUT_SANDBOX_WALLET_URL is not set. Only the sandbox’s process can create these blocks.',
    );
  const response = await outgoingFetch(`${url}/blocks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(SANDBOX_TIMEOUT_MS),
  }).catch(() => undefined);
  if (response === undefined)
    throw stateConflict(`No sandbox is running at ${url}. Start one with npm start.`);
  const answer = (await response.json()) as Answer & { message?: string };
  if (!response.ok)
    throw stateConflict(answer.message ?? `The sandbox responded with status ${response.status}.`);
  return answer;
}
