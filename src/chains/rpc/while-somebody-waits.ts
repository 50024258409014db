import { setTimeout as sleep } from 'node:timers/promises';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';

const USER_WAIT_MS = 2_000;

/** Limits the wait for an answer about a transaction to a user's patience, which is shorter than the RPC timeouts. */
export async function limitUserWait<T>(network: string, asked: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = async (): Promise<never> => {
    await sleep(USER_WAIT_MS, undefined, { signal: done.signal });
    throw new ChainUnavailable(network, 'no node returned information about the transaction in time.');
  };
  try {
    return await Promise.race([asked, late()]);
  } finally {
    done.abort();
  }
}
