/**
 * The nonce of a new sending. What the node calls pending is never asked: it forgets, and counts what may be replaced.
 * @param latestCount transactions of the account up to the newest block
 * @param highestOwn nonce of the service's sendings from this account that were not released; null where there is none
 */
export function nextNonce(latestCount: number, highestOwn: number | null): number {
  return highestOwn === null ? latestCount : Math.max(latestCount, highestOwn + 1);
}
