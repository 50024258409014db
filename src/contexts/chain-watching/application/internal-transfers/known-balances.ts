import type { BalanceRound, Cursor } from '../../domain/cursor.js';
import { knownBefore } from './unrecorded-movements.js';

/** How far the native balances of a network's open requests are known. */
export interface KnownBalances {
  /** All balances are known up to this time. Null if the network collects no native coin, or before the first comparison. */
  readonly at: Date | null;
  /** The unfinished comparison. Null if the next iteration begins a new one. */
  readonly round: BalanceRound | null;
}

/** Progress of the sweep over all addresses. `to`: the last address compared; null if the sweep is complete. */
export type BalanceSweep =
  { readonly kind: 'not_due' } | { readonly kind: 'swept'; readonly to: string | null };

/**
 * An iteration that compared all balances knows them up to its last block. A round of several iterations knows them up to the last
 * block of its first iteration, and only after the round is complete.
 * @param last timestamp of the iteration's last block
 * @param round null if the round is complete
 * @param hidden time since which a transfer retracted in this iteration may have hidden another
 */
export function knownAfterRound(
  { head, balancesKnownAt, balanceRound: before }: Cursor,
  last: Date,
  round: BalanceRound | null,
  hidden: Date | null,
): KnownBalances {
  if (before === null && round === null) return { at: last, round };
  const at = round === null ? before!.beganAt : (balancesKnownAt ?? head.time);
  return unlessHidden({ at, round }, hidden);
}

/** Restarts an unfinished round, because it compared some addresses before they were known to hide value. */
export function unlessHidden({ at, round }: KnownBalances, hidden: Date | null): KnownBalances {
  return { at: knownBefore(at, hidden), round: hidden === null ? round : null };
}
