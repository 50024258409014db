import { areReadPast } from './deadline-and-grace-rule.js';
import type { ChainProgress } from '#contexts/chain-watching/contract/incoming-transfer.js';
import { paymentSeen } from './leading-selection-rule.js';
import { addFinalBlocks, largestFinal, type Outcome } from './outcome-rule.js';
import type { Progress } from './progress.js';
import { sumOf } from './received-sums.js';
import { isEnded } from '../status.js';

/**
 * The ending of an open request now, by how far its networks were read.
 * 1. A selection that is fully paid by final transfers ends it.
 * 2. At the deadline, once all networks on which an address was shown are read past it, the largest share decides, or
 *    it has expired. No payment to a `created` request was ever seen, so none can be waiting for its finality: the read head
 *    is enough.
 * 3. An internal transfer may be found, and be in time, in a block read long after the deadline. So a request ends
 *    underpaid or expired only once all its payments are final. A network that is no longer read is not waited for.
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
  const { sums } = progress;
  const waits = selections.some(
    (selection) =>
      chains.has(selection.network) && paymentSeen(sums, selection) > (sumOf(sums, selection)?.final ?? 0n),
  );
  return waits ? null : (largestFinal(progress) ?? 'expired');
}
