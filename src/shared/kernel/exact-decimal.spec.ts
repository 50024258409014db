import { describe, expect, it } from '@jest/globals';
import { amounts, expectAlways, prices, wholeNumbers } from '#test/support/properties.js';
import {
  addExactDecimals,
  exactValueAtPrice,
  formatExactDecimal,
  roundExactDecimal,
} from './exact-decimal.js';

describe('An exact value', () => {
  it('balances if its lines balance', () => {
    const lines = [10_000_001n, -9_900_001n, -100_000n].map((amount) =>
      exactValueAtPrice(amount, 6, '0.920123456789'),
    );

    expect(lines.reduce(addExactDecimals).digits).toBe(0n);
    expect(formatExactDecimal(lines[0]!)).toBe('9.201235488013456789');
    expect(formatExactDecimal(exactValueAtPrice(-5n, 0, '3'))).toBe('-15');
  });

  it('is rounded half away from zero', () => {
    const amounts = [1_005n, -1_005n, 1_004n].map((digits) => roundExactDecimal(2, { digits, scale: 3 }));
    expect(amounts).toEqual([101n, -101n, 100n]);
    expect(roundExactDecimal(2, { digits: 7n, scale: 0 })).toBe(700n);
  });

  it('differs from its rounded value by at most half a unit', () => {
    expectAlways([amounts(-(10n ** 30n), 10n ** 30n), prices, wholeNumbers(0, 8)], (amount, price, shown) => {
      const value = exactValueAtPrice(amount, 6, price);
      const difference = addExactDecimals(value, { digits: -roundExactDecimal(shown, value), scale: shown });
      const doubled = 2n * difference.digits * 10n ** BigInt(shown);

      expect(doubled <= 10n ** BigInt(difference.scale)).toBe(true);
      expect(doubled >= -(10n ** BigInt(difference.scale))).toBe(true);
    });
  });
});
