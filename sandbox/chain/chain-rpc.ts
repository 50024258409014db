import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';

/** @throws Error with the method and the node's message */
export async function chainRpc<Result>(url: string, method: string, params: unknown[] = []): Promise<Result> {
  const response = await outgoingFetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(30_000),
  });
  const answer = (await response.json()) as { result: Result; error?: { message: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

export interface BlockHead {
  /** Hexadecimal quantities, as on the wire. The timestamp is in seconds since 1970. */
  number: string;
  hash: string;
  timestamp: string;
  transactions: string[];
}

/** Defaults to the newest block. */
export function blockHead(url: string, number?: number): Promise<BlockHead> {
  const block = number === undefined ? 'latest' : `0x${number.toString(16)}`;
  return chainRpc<BlockHead>(url, 'eth_getBlockByNumber', [block, false]);
}

/**
 * The later of the newest block's time and real time, as customers can observe it. Lags a moved clock by at most some
 * seconds.
 * @throws Error if the chain does not respond
 */
export async function sandboxTime(rpcUrl: string): Promise<Date> {
  const newest = Number((await blockHead(rpcUrl)).timestamp) * 1_000;
  return new Date(Math.max(newest, Date.now()));
}
