import { describe, expect, it } from '@jest/globals';
import { minimumAmounts, NATIVE_GAS, TOKEN_GAS } from './worth-settling.js';

const GWEI = 10n ** 9n;
const terms = { gasPrice: GWEI, dataFee: 0n, gas: TOKEN_GAS, nativeDecimals: 18, maxGasSharePercent: 1 };
/** Price: a dollar is worth 0.0005 of the native coin. */
const DOLLAR = { digits: 5n, scale: 4 };

describe('The minimum worth settling', () => {
  it('is the amount of which its gas is the maximum share, rounded up', () => {
    // The gas costs 0.000065 coins, which is 1% of 0.0065 coins or 9.285714… units of an asset at 0.0007 coins.
    const { first } = minimumAmounts({ digits: 7n, scale: 4 }, 6, terms);

    expect(first).toBe(9_285_715n);
  });

  it('is lower if the contract exists, and if old money pays all of its gas', () => {
    const minimum = minimumAmounts(DOLLAR, 6, terms);

    expect(minimum.first * TOKEN_GAS.repeat).toBe(minimum.repeat * TOKEN_GAS.first);
    expect(minimum.first).toBe(100n * minimum.agedFirst);
  });

  it('follows the price of gas, the share and the decimals of the asset', () => {
    const { first } = minimumAmounts(DOLLAR, 6, terms);

    expect(minimumAmounts(DOLLAR, 6, { ...terms, gasPrice: 50n * GWEI }).first).toBe(50n * first);
    expect(minimumAmounts(DOLLAR, 6, { ...terms, maxGasSharePercent: 0.5 }).first).toBe(2n * first);
    expect(minimumAmounts(DOLLAR, 18, terms).first).toBe(first * 10n ** 12n);
    expect(minimumAmounts({ digits: 1n, scale: 0 }, 18, terms).agedFirst).toBe(TOKEN_GAS.first * GWEI);
  });

  it('is higher for native coin, whose payouts need more gas', () => {
    const { first, repeat } = minimumAmounts(DOLLAR, 6, { ...terms, gas: NATIVE_GAS });

    expect(first * TOKEN_GAS.first).toBe(minimumAmounts(DOLLAR, 6, terms).first * NATIVE_GAS.first);
    expect(repeat).toBeGreaterThan(minimumAmounts(DOLLAR, 6, terms).repeat);
  });

  it('includes the data fee of a rollup on which gas costs almost nothing', () => {
    const rollup = { ...terms, gasPrice: GWEI / 1_000n, dataFee: 10n ** 13n };
    const { first, repeat, agedRepeat } = minimumAmounts(DOLLAR, 6, rollup);

    // The gas costs 10^13 wei, worth 2 cents, which is 1% of 2 dollars.
    expect(agedRepeat).toBeGreaterThanOrEqual(20_000n);
    expect(repeat).toBeGreaterThanOrEqual(2_000_000n);
    expect(first - repeat).toBe((minimumAmounts(DOLLAR, 6, { ...rollup, dataFee: 0n }).first * 45n) / 65n);
  });

  it('is zero if gas is free', () => {
    expect(minimumAmounts(DOLLAR, 6, { ...terms, gasPrice: 0n }).first).toBe(0n);
  });
});
