import type { BalanceRound, Cursor } from '../../domain/watched-chain.js';
import { knownBefore } from './pending-movements.js';

/** How far the native balances of a network's open requests are known. */
export interface KnownBalances {
  /** Time up to which those of all open requests are known; null where no native coin is collected, or none was compared yet. */
  readonly at: Date | null;
  /** The comparison that has begun; null where the next turn begins one. */
  readonly round: BalanceRound | null;
}

/**
 * A turn that compared all of them knows them up to its last block. A round of several turns knows them up to the last block of
 * its first turn, and only once it has come to its end.
 * @param last time of the turn's last block
 * @param round null where it came to its end
 * @param hidden time since which a transfer that was retracted in this turn may have hidden another
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

/** A round that was under way has compared some addresses before they were known to hide value, so it begins again. */
export function unlessHidden({ at, round }: KnownBalances, hidden: Date | null): KnownBalances {
  return { at: knownBefore(at, hidden), round: hidden === null ? round : null };
}
