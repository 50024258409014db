import { describe, expect, it } from '@jest/globals';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { BalanceRound, Cursor } from '../../domain/cursor.js';
import { knownAfterRound, unlessHidden } from './known-balances.js';

const at = (minute: number) => new Date(Date.UTC(2030, 0, 1, 12, minute));
const round = (to: string, beganAt: Date): BalanceRound => ({ to: to as PaymentRequestId, beganAt });

/** Cursor with balances known up to minute 2 and the head at minute 5. */
function cursor(balanceRound: BalanceRound | null, balancesKnownAt: Date | null = at(2)): Cursor {
  return {
    head: { number: 5, hash: '0x5', time: at(5) },
    finalNumber: null,
    disagreement: null,
    balancesKnownAt,
    balanceRound,
    pendingReadAt: null,
  };
}

describe('A round that compares the balances of open requests', () => {
  it('reaches the last block if it takes one iteration', () => {
    expect(knownAfterRound(cursor(null), at(6), null, at(4))).toEqual({ at: at(6), round: null });
  });

  it('reaches no further block before it ends if it takes several iterations', () => {
    const begun = round('a', at(6));

    expect(knownAfterRound(cursor(null), at(6), begun, null)).toEqual({ at: at(2), round: begun });
    expect(knownAfterRound(cursor(null, null), at(6), begun, null)).toEqual({ at: at(5), round: begun });
  });

  it('reaches the block at which it began, once it ends', () => {
    expect(knownAfterRound(cursor(round('a', at(3))), at(6), null, null)).toEqual({ at: at(3), round: null });
  });

  it('restarts if a retracted transfer may have hidden another', () => {
    const before = round('a', at(4));

    expect(knownAfterRound(cursor(before), at(6), round('b', at(4)), at(1))).toEqual({
      at: new Date(at(1).getTime() - 1),
      round: null,
    });
    expect(knownAfterRound(cursor(before), at(6), null, at(1)).at).toEqual(new Date(at(1).getTime() - 1));
    expect(unlessHidden({ at: at(2), round: before }, at(4))).toEqual({ at: at(2), round: null });
    expect(unlessHidden({ at: at(2), round: before }, null)).toEqual({ at: at(2), round: before });
  });
});
