/** Far more than a number, a hash, a few words or an error with its reasons. */
export const SMALL_ANSWER_BYTES = 256 * 1024;
/** The logs of a range, or a block with all that is in it. */
export const LARGE_ANSWER_BYTES = 32 * 1024 * 1024;

/** What is as long as others made it: their transactions, their events, their contracts. */
const OF_ANY_LENGTH: ReadonlySet<string> = new Set([
  'eth_getLogs',
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getCode',
]);

interface Question {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * How much of an answer is read: to read JSON holds up everything else in the process, and whoever has not shown yet
 * which chain it serves is asked only for what is small.
 */
export function mostBytesFor(calls: readonly Question[]): number {
  if (calls.some(isOfAnyLength)) return LARGE_ANSWER_BYTES;
  return Math.min(LARGE_ANSWER_BYTES, SMALL_ANSWER_BYTES * calls.length);
}

function isOfAnyLength({ method, params }: Question): boolean {
  return OF_ANY_LENGTH.has(method) && !isGenesis(params);
}

/** It has no transactions on any chain. */
function isGenesis([block]: readonly unknown[]): boolean {
  return block === '0x0';
}
