import { decideOutcome, type ChainProgress, type Outcome } from './outcome-rule.js';
import type { Progress } from './progress.js';
import { areReadPast, lastCounting } from './deadline-and-grace-rule.js';
import { isEnded } from './status.js';

/**
 * How an open request ends now, by how far its networks were read. It expires once all networks are read past its
 * deadline on which an address was shown, and nothing counts.
 * @returns null while it is open, and once it has ended
 */
export function endingOf(
  { status, selected, selections, transfers, expiresAt }: Progress,
  chains: ReadonlyMap<string, ChainProgress>,
): Outcome | null {
  const chain = selected === null ? undefined : chains.get(selected.network);
  if (selected === null || chain === undefined || isEnded(status)) return null;
  const counted = transfers.filter((transfer) => transfer.counted);
  const expected = { amount: selected.amount, countsUntil: lastCounting(selected, expiresAt) };
  const outcome = decideOutcome(expected, counted, chain);
  if (outcome !== null && outcome.status !== 'expired') return outcome;
  // Nothing was ever seen, so nothing can be waiting for its finality: the read head is enough.
  const far = status === 'created' ? 'head' : 'final';
  return counted.length === 0 && areReadPast(selections, chains, expiresAt, far)
    ? { status: 'expired' }
    : null;
}
