import { describe, expect, it } from '@jest/globals';
import { GAS_OF_FIRST_PAYOUT, GAS_OF_REPEATED_PAYOUT, leastAmounts } from './least-amounts.js';

const GWEI = 10n ** 9n;
const terms = { gasPrice: GWEI, nativeDecimals: 18, maxGasSharePercent: 1 };
/** A dollar is worth 0.0005 of the native coin. */
const DOLLAR = { digits: 5n, scale: 4 };

describe('The least amount that is worth its gas', () => {
  it('is so much that its gas is the share of it, rounded up', () => {
    const gas = GAS_OF_FIRST_PAYOUT * GWEI;
    const { first } = leastAmounts(DOLLAR, 6, terms);

    const valueOf = (amount: bigint) => (amount * 10n ** 18n * 5n) / 10n ** 10n;
    expect(valueOf(first) / 100n).toBeGreaterThanOrEqual(gas);
    expect(valueOf(first - 1n) / 100n).toBeLessThan(gas);
  });

  it('is less where the contract is there, and where old money pays all of its gas', () => {
    const least = leastAmounts(DOLLAR, 6, terms);

    expect(least.first * GAS_OF_REPEATED_PAYOUT).toBe(least.repeat * GAS_OF_FIRST_PAYOUT);
    expect(least.first).toBe(100n * least.agedFirst);
  });

  it('follows the price of gas, the share and the decimals of the asset', () => {
    const { first } = leastAmounts(DOLLAR, 6, terms);

    expect(leastAmounts(DOLLAR, 6, { ...terms, gasPrice: 50n * GWEI }).first).toBe(50n * first);
    expect(leastAmounts(DOLLAR, 6, { ...terms, maxGasSharePercent: 0.5 }).first).toBe(2n * first);
    expect(leastAmounts(DOLLAR, 18, terms).first).toBe(first * 10n ** 12n);
    expect(leastAmounts({ digits: 1n, scale: 0 }, 18, terms).agedFirst).toBe(GAS_OF_FIRST_PAYOUT * GWEI);
  });

  it('is nothing where gas costs nothing', () => {
    expect(leastAmounts(DOLLAR, 6, { ...terms, gasPrice: 0n }).first).toBe(0n);
  });
});
