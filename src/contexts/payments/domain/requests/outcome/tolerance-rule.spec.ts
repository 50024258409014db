import { describe, expect, it } from '@jest/globals';
import { MAX_AMOUNT } from '#shared/kernel/amount.js';
import { amounts, expectAlways, prices, wholeNumbers } from '#test/support/properties.js';
import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';
import { selectionOf, timeOf } from '#contexts/payments/testing/requests/payment-request-builder.js';
import { parseDecimal } from '#shared/kernel/decimal.js';
import type { Selection } from '../selection.js';
import { isFulfilled, isUnderpaymentAccepted } from './tolerance-rule.js';

const selectionWithRate = (price: string): Partial<Selection> => ({
  rate: { price, sources: ['kraken'], at: timeOf(1) },
});

/** Returns whether the tolerance accepts that `missing` units of `amount` were not received. */
function isShortfallAccepted(
  tolerance: UnderpaymentTolerance,
  amount: bigint,
  missing: bigint,
  fields: Partial<Selection> = {},
): boolean {
  const outcome = { status: 'underpaid', selection: selectionOf(amount, fields), received: amount - missing };
  return isUnderpaymentAccepted(outcome as never, tolerance);
}

describe('The tolerance for underpayments', () => {
  it.each([
    ['of just its basis points', 1_000_000n, true],
    ['of one smallest unit more', 1_000_001n, false],
    ['of next to nothing', 1n, true],
  ])('accepts a shortfall within its basis points: %s', (_, missing, accepted) => {
    expect(isShortfallAccepted({ basisPoints: 100, atMost: '1000' }, 100_000_000n, missing)).toBe(accepted);
  });

  it.each([
    ['just that', 500_000n, true],
    ['one smallest unit more', 500_001n, false],
  ])('accepts a shortfall within its bound in the currency of the price: %s', (_, missing, accepted) => {
    expect(isShortfallAccepted({ basisPoints: 100, atMost: '0.5' }, 100_000_000n, missing)).toBe(accepted);
  });

  it.each([
    ['exactly the bound', 400_000n, '1.25', true],
    ['one unit more', 400_001n, '1.25', false],
    ['the last unit within a bound that no unit matches', 166_666n, '3', true],
    ['the first unit beyond it', 166_667n, '3', false],
  ])('values the shortfall at the locked rate: %s', (_, missing, price, accepted) => {
    const tolerance = { basisPoints: 500, atMost: '0.5' };

    expect(isShortfallAccepted(tolerance, 80_000_000n, missing, selectionWithRate(price))).toBe(accepted);
  });

  it('rounds its basis points down to whole units', () => {
    const tolerance = { basisPoints: 33, atMost: '1000' };

    expect([isShortfallAccepted(tolerance, 1_001n, 3n), isShortfallAccepted(tolerance, 1_001n, 4n)]).toEqual([
      true,
      false,
    ]);
  });

  it('accepts exactly the shortfalls within both of its bounds', () => {
    const shares = [wholeNumbers(0, 500), wholeNumbers(1, 500)] as const;
    const cases = [amounts(1n, 10n ** 12n), ...shares, prices, prices] as const;
    expectAlways([...cases], (amount, basisPoints, missed, atMost, price) => {
      const missing = (amount * BigInt(missed)) / 10_000n;
      const [most, each] = [parseDecimal(atMost), parseDecimal(price)];
      const isWithinBound =
        missing * each.digits * 10n ** BigInt(most.scale) <=
        most.digits * 10n ** BigInt(selectionOf(amount).decimals + each.scale);
      const isWithinShare = missing * 10_000n <= amount * BigInt(basisPoints);

      expect(isShortfallAccepted({ basisPoints, atMost }, amount, missing, selectionWithRate(price))).toBe(
        isWithinBound && isWithinShare,
      );
    });
  });

  it('applies only to underpaid outcomes of requests with a tolerance', () => {
    const paid = { status: 'completed', selection: selectionOf(100n), received: 100n } as const;

    expect(isUnderpaymentAccepted(paid, { basisPoints: 500, atMost: '1' })).toBe(false);
    expect(isUnderpaymentAccepted({ ...paid, status: 'underpaid', received: 99n }, undefined)).toBe(false);
  });

  it('handles the largest amounts, the most decimals and the longest rates', () => {
    const tolerance = { basisPoints: 500, atMost: MAX_AMOUNT.toString() };
    const rate = selectionWithRate(`0.${'0'.repeat(98)}1`);
    const bound = (MAX_AMOUNT * 500n) / 10_000n;

    expect(isShortfallAccepted(tolerance, MAX_AMOUNT, bound, { decimals: 77, ...rate })).toBe(true);
    expect(isShortfallAccepted(tolerance, MAX_AMOUNT, bound + 1n, { decimals: 77, ...rate })).toBe(false);
  });
});

describe('A fulfilled request', () => {
  it('is completed, overpaid, or underpaid and accepted', () => {
    const statuses = [
      'pending',
      'created',
      'processing',
      'completed',
      'overpaid',
      'underpaid',
      'expired',
    ] as const;

    expect(statuses.filter((status) => isFulfilled(status, false))).toEqual(['completed', 'overpaid']);
    expect(isFulfilled('underpaid', true)).toBe(true);
  });
});
