import type { BalanceRound, Cursor } from '../../domain/cursor.js';
import { limitKnownTime } from './unrecorded-movements.js';

/** Progress of comparing the native balances of a network's open requests. */
export interface KnownBalances {
  /**
   * All balances were compared up to this time. Null if the network collects no native coin, or before the first
   * comparison.
   */
  readonly at: Date | null;
  /** The unfinished comparison round. Null if the next iteration begins a new round. */
  readonly round: BalanceRound | null;
}

/** Progress of the balance sweep over all addresses. `to`: the last address compared; null if the sweep is complete. */
export type BalanceSweep =
  { readonly kind: 'not_due' } | { readonly kind: 'swept'; readonly to: string | null };

/**
 * Computes the time up to which balances are known. If one iteration compared all balances, that is the time of its
 * last block. If a round took several iterations, it is the time of the last block of its first iteration, once the
 * round is complete.
 * @param last timestamp of the iteration's last block
 * @param round the unfinished round; null if the round is complete
 * @param hidden time since which a transfer refuted in this iteration may have hidden another transfer; null if
 * there is none
 */
export function knownBalancesAfterRound(
  { head, balancesKnownAt, balanceRound: before }: Cursor,
  last: Date,
  round: BalanceRound | null,
  hidden: Date | null,
): KnownBalances {
  if (before === null && round === null) return { at: last, round };
  const at = round === null ? before!.beganAt : (balancesKnownAt ?? head.time);
  return limitByHiddenValue({ at, round }, hidden);
}

/**
 * Restarts an unfinished round if a refuted transfer may have hidden value at addresses that the round already
 * compared.
 */
export function limitByHiddenValue({ at, round }: KnownBalances, hidden: Date | null): KnownBalances {
  return { at: limitKnownTime(at, hidden), round: hidden === null ? round : null };
}
