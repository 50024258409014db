import { areReadPast } from './deadline-and-grace-rule.js';
import type { ChainProgress } from '#contexts/chain-watching/contract/incoming-transfer.js';
import { paymentSeen } from './leading-selection-rule.js';
import { addFinalBlocks, largestFinal, type Outcome } from './outcome-rule.js';
import type { Progress } from './progress.js';
import { sumOf } from './received-sums.js';
import { isEnded } from '../status.js';

/**
 * Determines whether an open request ends now, from the blocks read.
 * 1. A selection that is fully paid by final transfers ends the request.
 * 2. After every network with a displayed address is read past the deadline, the largest share decides, or the request expires.
 *    For a `created` request the newest block read is enough, because no payment awaits finality.
 * 3. An in-time internal transfer may be found long after the deadline. The request therefore ends underpaid or expired only
 *    after all its payments are final. Networks that are no longer read are ignored.
 * @returns null while the request is open, and after it has ended
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
