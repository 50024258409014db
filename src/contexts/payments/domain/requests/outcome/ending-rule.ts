import { areReadPast } from './deadline-and-grace-rule.js';
import type { ChainProgress } from '../transfer.js';
import { addFinalBlocks, largestFinal, type Outcome } from './outcome-rule.js';
import type { Progress } from './progress.js';
import { isEnded } from '../status.js';

/**
 * The ending of an open request now, by how far its networks were read.
 * 1. A selection that is fully paid by final transfers ends it.
 * 2. At the deadline, once all networks on which an address was shown are read past it, the largest share decides, or
 *    it has expired. Of a request that is `created` nothing was ever seen, so nothing can be waiting for its finality: the
 *    read head is enough.
 * 3. An internal transfer may be found, and be in time, in a block read long after the deadline. So a request ends
 *    underpaid or expired only once all its counted transfers are final. A network that is no longer read is not waited for.
 * @returns null while it is open, and once it has ended
 */
export function endingOf(
  progress: Progress,
  chains: ReadonlyMap<string, ChainProgress>,
): Outcome | 'expired' | null {
  const { status, selected, selections, expiresAt } = progress;
  if (selected === null || isEnded(status)) return null;
  const outcome = addFinalBlocks(progress, chains);
  if (outcome !== null) return outcome;
  const far = status === 'created' ? 'head' : 'final';
  if (!chains.has(selected.network) || !areReadPast(selections, chains, expiresAt, far)) return null;
  const waits = progress.sums.some(({ network, seen, final }) => chains.has(network) && seen !== final);
  return waits ? null : (largestFinal(progress) ?? 'expired');
}
