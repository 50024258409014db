/**
 * The nonce of an account's next call: the greater of what the chain has used up and what is stored as ours. `pending` counts
 * of nodes are not asked: each node has its own, and forgets it.
 * @param latest transactions of the account up to the newest block, by the node
 * @param highestOwn the highest nonce that any stored call has, whatever became of it; null where there is none
 */
export function nextNonce(latest: number, highestOwn: number | null): number {
  return highestOwn === null ? latest : Math.max(latest, highestOwn + 1);
}
