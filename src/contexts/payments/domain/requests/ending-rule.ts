import { lastCounting } from './deadline-and-grace-rule.js';
import { isExpired } from './expiry-rule.js';
import { decideOutcome, type ChainProgress, type Outcome } from './outcome-rule.js';
import type { Progress } from './progress.js';
import { isEnded } from './status.js';

/**
 * How an open request ends now, by how far its networks were read.
 * @returns null while it is open, and once it has ended
 */
export function endingOf(progress: Progress, chains: ReadonlyMap<string, ChainProgress>): Outcome | null {
  const { status, selected, transfers, expiresAt } = progress;
  const chain = selected === null ? undefined : chains.get(selected.network);
  if (selected === null || chain === undefined || isEnded(status)) return null;
  const counted = transfers.filter((transfer) => transfer.counted);
  const expected = { amount: selected.amount, countsUntil: lastCounting(selected, expiresAt) };
  const outcome = decideOutcome(expected, counted, chain);
  if (outcome !== null && outcome.status !== 'expired') return outcome;
  return isExpired(progress, chains) ? { status: 'expired' } : null;
}
