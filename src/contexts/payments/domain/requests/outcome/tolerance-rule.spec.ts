import { describe, expect, it } from '@jest/globals';
import { MAX_AMOUNT } from '#shared/kernel/amount.js';
import { forEachSeed, type SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';
import { convertedAmount } from '#contexts/rates/contract/amount-rounding-rule.js';
import { selectionOf, timeOf } from '#contexts/payments/testing/requests/payment-request-builder.js';
import type { Selection } from '../selection.js';
import { isFulfilled, isUnderpaymentAccepted } from './tolerance-rule.js';

const rated = (price: string): Partial<Selection> => ({
  rate: { price, sources: ['kraken'], at: timeOf(1) },
});

/** Accepted: a selection of `amount` of which `missing` did not come. */
function accepts(
  tolerance: UnderpaymentTolerance,
  amount: bigint,
  missing: bigint,
  fields: Partial<Selection> = {},
): boolean {
  const outcome = { status: 'underpaid', selection: selectionOf(amount, fields), received: amount - missing };
  return isUnderpaymentAccepted(outcome as never, tolerance);
}

describe('Accepting an underpayment', () => {
  it.each([
    ['of just its basis points', 1_000_000n, true],
    ['of one smallest unit more', 1_000_001n, false],
    ['of next to nothing', 1n, true],
  ])('of a price of 100 dollars, at most 1 %%, %s', (_, missing, accepted) => {
    expect(accepts({ basisPoints: 100, atMost: '1000' }, 100_000_000n, missing)).toBe(accepted);
  });

  it.each([
    ['just that', 500_000n, true],
    ['one smallest unit more', 500_001n, false],
  ])('never takes more than its bound in units of the price: %s', (_, missing, accepted) => {
    expect(accepts({ basisPoints: 100, atMost: '0.5' }, 100_000_000n, missing)).toBe(accepted);
  });

  it.each([
    ['just the bound', 400_000n, true],
    ['one smallest unit more', 400_001n, false],
  ])('values what is missing at the locked rate: %s', (_, missing, accepted) => {
    const tolerance = { basisPoints: 500, atMost: '0.5' };

    expect(accepts(tolerance, 80_000_000n, missing, rated('1.25'))).toBe(accepted);
  });

  it('keeps within its basis points of an amount that they do not divide', () => {
    const tolerance = { basisPoints: 33, atMost: '1000' };

    expect([accepts(tolerance, 1_001n, 3n), accepts(tolerance, 1_001n, 4n)]).toEqual([true, false]);
  });

  it('is only of underpaid outcomes, and of none without a tolerance', () => {
    const paid = { status: 'completed', selection: selectionOf(100n), received: 100n } as const;

    expect(isUnderpaymentAccepted(paid, { basisPoints: 500, atMost: '1' })).toBe(false);
    expect(isUnderpaymentAccepted({ ...paid, status: 'underpaid', received: 99n }, undefined)).toBe(false);
  });

  it('takes the largest amounts of the finest assets and the longest rates', () => {
    const tolerance = { basisPoints: 500, atMost: MAX_AMOUNT.toString() };
    const rate = rated(`0.${'0'.repeat(98)}1`);
    const bound = (MAX_AMOUNT * 500n) / 10_000n;

    expect(accepts(tolerance, MAX_AMOUNT, bound, { decimals: 77, ...rate })).toBe(true);
    expect(accepts(tolerance, MAX_AMOUNT, bound + 1n, { decimals: 77, ...rate })).toBe(false);
  });

  it('takes the largest shortfall that keeps within both bounds, and no smallest unit more', () => {
    forEachSeed(3_000, (random) => {
      const decimals = random.whole(0, 18);
      const price = someDecimal(random, random.whole(0, 10));
      const basisPoints = random.whole(1, 500);
      const amount = random.bits(random.whole(1, 100)) + 1n;
      const byShare = (amount * BigInt(basisPoints)) / 10_000n;
      // Near the share, so that each of the two bounds is the narrower one in many of the runs.
      const near = (byShare * BigInt(random.whole(1, 40))) / 20n;
      const atMost = random.chance(0.5) ? someDecimal(random, 6) : valueOf(near, price, decimals);
      if (atMost === '0') return;
      // `convertedAmount` rounds up: what costs more than the bound is the first that it has too many of.
      const ceiling = convertedAmount(atMost, price, decimals);
      const byValue = isExactly(ceiling, price, decimals, atMost) ? ceiling : ceiling - 1n;
      const most = byShare < byValue ? byShare : byValue;

      const accepted = (missing: bigint) =>
        accepts({ basisPoints, atMost }, amount, missing, { decimals, ...rated(price) });

      if (most > 0n) expect(accepted(most)).toBe(true);
      if (most + 1n <= amount) expect(accepted(most + 1n)).toBe(false);
    });
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

/** Above zero, with that many fraction digits at most. */
function someDecimal(random: SeededRandom, fractionDigits: number): string {
  const digits = (random.bits(random.whole(1, 60)) + 1n).toString().padStart(fractionDigits + 1, '0');
  const whole = digits.slice(0, digits.length - fractionDigits);
  return fractionDigits === 0 ? whole : `${whole}.${digits.slice(-fractionDigits)}`;
}

/** The price of so many smallest units, exactly; `0` for none. */
function valueOf(units: bigint, price: string, decimals: number): string {
  const [whole = '', fraction = ''] = price.split('.');
  const scale = fraction.length + decimals;
  const digits = (units * BigInt(whole + fraction)).toString().padStart(scale + 1, '0');
  if (units === 0n) return '0';
  return scale === 0 ? digits : `${digits.slice(0, digits.length - scale)}.${digits.slice(-scale)}`;
}

function isExactly(units: bigint, price: string, decimals: number, value: string): boolean {
  const trimmed = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  return trimmed(valueOf(units, price, decimals)) === trimmed(value);
}
