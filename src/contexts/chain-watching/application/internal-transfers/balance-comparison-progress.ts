import type { BalanceComparisonRound, Cursor } from '../../domain/cursor.js';
import { limitKnownTime } from './unrecorded-movements.js';

export interface BalanceComparisonProgress {
  /** All balances were compared up to this time. */
  readonly at: Date | null;
  /** Null if the next iteration begins a new round. */
  readonly round: BalanceComparisonRound | null;
}

/** `to`: the last address compared; null if the sweep is complete. */
export type DailyBalanceComparison =
  { readonly kind: 'not_due' } | { readonly kind: 'swept'; readonly to: string | null };

/** Known up to the last block of the iteration that compared all balances, or that began the round. */
export function balanceProgressAfterRound(
  { head, balancesKnownAt, balanceRound: before }: Cursor,
  last: Date,
  round: BalanceComparisonRound | null,
  hidden: Date | null,
): BalanceComparisonProgress {
  if (before === null && round === null) return { at: last, round };
  const at = round === null ? before!.beganAt : (balancesKnownAt ?? head.time);
  return limitProgressByHiddenTransfer({ at, round }, hidden);
}

/**
 * Restarts an unfinished round if a refuted transfer may have hidden value at addresses that the round already
 * compared.
 */
export function limitProgressByHiddenTransfer(
  { at, round }: BalanceComparisonProgress,
  hidden: Date | null,
): BalanceComparisonProgress {
  return { at: limitKnownTime(at, hidden), round: hidden === null ? round : null };
}
