import { areReadPast } from './deadline-and-grace-rule.js';
import type { ChainProgress } from './outcome-rule.js';
import type { Progress } from './progress.js';

/**
 * Whether an open request has expired: nothing counts, and all networks on which an address was shown are read past its
 * deadline.
 */
export function isExpired(
  { status, selections, transfers, expiresAt }: Progress,
  chains: ReadonlyMap<string, ChainProgress>,
): boolean {
  // Of a request that is `created` nothing was ever seen, so nothing can be waiting for its finality: the read head is enough.
  const far = status === 'created' ? 'head' : 'final';
  return !transfers.some(({ counted }) => counted) && areReadPast(selections, chains, expiresAt, far);
}
