import { blockHead } from './chain-rpc.js';

/**
 * The time in the sandbox, as its customers can know it: the newest block's or real time, whichever is later, since clock
 * and chain are only moved forward, and together. Some seconds behind a moved clock at most.
 * @throws Error when the chain does not answer
 */
export async function sandboxTime(rpcUrl: string): Promise<Date> {
  const newest = Number((await blockHead(rpcUrl)).timestamp) * 1_000;
  return new Date(Math.max(newest, Date.now()));
}
