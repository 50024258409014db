import { describe, expect, it } from '@jest/globals';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { BalanceComparisonRound, Cursor } from '../../domain/cursor.js';
import { balanceProgressAfterRound, limitProgressByHiddenTransfer } from './balance-comparison-progress.js';

const timeAtMinute = (minute: number) => new Date(Date.UTC(2030, 0, 1, 12, minute));
const balanceRoundTo = (to: string, beganAt: Date): BalanceComparisonRound => ({
  to: to as PaymentRequestId,
  beganAt,
});

/** Cursor with balances known up to minute 2 and the head at minute 5. */
function cursorWithRound(
  balanceRound: BalanceComparisonRound | null,
  balancesKnownAt: Date | null = timeAtMinute(2),
): Cursor {
  return {
    head: { number: 5, hash: '0x5', time: timeAtMinute(5) },
    finalNumber: null,
    disagreement: null,
    balancesKnownAt,
    balanceRound,
    pendingReadAt: null,
  };
}

describe('A round that compares the balances of open requests', () => {
  it('reaches the last block if it takes one iteration', () => {
    expect(balanceProgressAfterRound(cursorWithRound(null), timeAtMinute(6), null, timeAtMinute(4))).toEqual({
      at: timeAtMinute(6),
      round: null,
    });
  });

  it('reaches no further block before it ends if it takes several iterations', () => {
    const begun = balanceRoundTo('a', timeAtMinute(6));

    expect(balanceProgressAfterRound(cursorWithRound(null), timeAtMinute(6), begun, null)).toEqual({
      at: timeAtMinute(2),
      round: begun,
    });
    expect(balanceProgressAfterRound(cursorWithRound(null, null), timeAtMinute(6), begun, null)).toEqual({
      at: timeAtMinute(5),
      round: begun,
    });
  });

  it('reaches the block at which it began, once it ends', () => {
    expect(
      balanceProgressAfterRound(
        cursorWithRound(balanceRoundTo('a', timeAtMinute(3))),
        timeAtMinute(6),
        null,
        null,
      ),
    ).toEqual({ at: timeAtMinute(3), round: null });
  });

  it('restarts if a refuted transfer may have hidden another', () => {
    const before = balanceRoundTo('a', timeAtMinute(4));

    expect(
      balanceProgressAfterRound(
        cursorWithRound(before),
        timeAtMinute(6),
        balanceRoundTo('b', timeAtMinute(4)),
        timeAtMinute(1),
      ),
    ).toEqual({
      at: new Date(timeAtMinute(1).getTime() - 1),
      round: null,
    });
    expect(
      balanceProgressAfterRound(cursorWithRound(before), timeAtMinute(6), null, timeAtMinute(1)).at,
    ).toEqual(new Date(timeAtMinute(1).getTime() - 1));
    expect(limitProgressByHiddenTransfer({ at: timeAtMinute(2), round: before }, timeAtMinute(4))).toEqual({
      at: timeAtMinute(2),
      round: null,
    });
    expect(limitProgressByHiddenTransfer({ at: timeAtMinute(2), round: before }, null)).toEqual({
      at: timeAtMinute(2),
      round: before,
    });
  });
});
