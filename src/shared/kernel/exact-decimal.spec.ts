import { describe, expect, it } from '@jest/globals';
import { addValues, exactValue, formatValue, roundValue } from './exact-decimal.js';

describe('An exact value', () => {
  it('balances if its lines balance', () => {
    const lines = [10_000_001n, -9_900_001n, -100_000n].map((amount) =>
      exactValue(amount, 6, '0.920123456789'),
    );

    expect(lines.reduce(addValues).digits).toBe(0n);
    expect(formatValue(lines[0]!)).toBe('9.201235488013456789');
    expect(formatValue(exactValue(-5n, 0, '3'))).toBe('-15');
  });

  it('is rounded half away from zero', () => {
    const amounts = [1_005n, -1_005n, 1_004n].map((digits) => roundValue(2, { digits, scale: 3 }));
    expect(amounts).toEqual([101n, -101n, 100n]);
    expect(roundValue(2, { digits: 7n, scale: 0 })).toBe(700n);
  });
});
