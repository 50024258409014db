import type { Progress } from '../outcome/progress.js';
import { isPartOfOutcome } from './reversal-rule.js';
import { isSame } from '../selection.js';

/**
 * A request has ended: what is no part of its outcome stops counting, to become deposits. Anyone can have sent any number
 * of transfers, so stored ones are left to later turns.
 */
export function uncountRest(progress: Progress): void {
  const { confirmedAt, selected, receivedAmount, sums } = progress;
  const stops = progress.transfers.filter((each) => each.counted && !isPartOfOutcome(progress, each));
  progress.uncounting = sums.some((sum) => {
    const part = confirmedAt !== null && selected !== null && isSame(selected, sum) ? receivedAmount : 0n;
    const known = stops.filter((each) => isSame(each, sum));
    return known.reduce((rest, { amount }) => rest - amount, sum.seen - part) > 0n;
  });
  const ids = new Set(stops.map(({ id }) => id));
  progress.transfers = progress.transfers.map((each) =>
    ids.has(each.id) ? { ...each, counted: false } : each,
  );
}
