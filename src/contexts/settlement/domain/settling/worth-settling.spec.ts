import { describe, expect, it } from '@jest/globals';
import { minimumAmounts, NATIVE_GAS, TOKEN_GAS } from './worth-settling.js';

const GWEI = 10n ** 9n;
const terms = { gasPrice: GWEI, dataFee: 0n, gas: TOKEN_GAS, nativeDecimals: 18, maxGasSharePercent: 1 };
/** A dollar is worth 0.0005 of the native coin. */
const DOLLAR = { digits: 5n, scale: 4 };

describe('The least amount that is worth its gas', () => {
  it('is so much that its gas is the share of it, rounded up', () => {
    const gas = TOKEN_GAS.first * GWEI;
    const { first } = minimumAmounts(DOLLAR, 6, terms);

    const valueOf = (amount: bigint) => (amount * 10n ** 18n * 5n) / 10n ** 10n;
    expect(valueOf(first) / 100n).toBeGreaterThanOrEqual(gas);
    expect(valueOf(first - 1n) / 100n).toBeLessThan(gas);
  });

  it('is less where the contract is there, and where old money pays all of its gas', () => {
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

  it('is more of native coin, whose payouts take more gas', () => {
    const { first, repeat } = minimumAmounts(DOLLAR, 6, { ...terms, gas: NATIVE_GAS });

    expect(first * TOKEN_GAS.first).toBe(minimumAmounts(DOLLAR, 6, terms).first * NATIVE_GAS.first);
    expect(repeat).toBeGreaterThan(minimumAmounts(DOLLAR, 6, terms).repeat);
  });

  it('pays the data that a rollup charges for too, where gas itself costs next to nothing', () => {
    const rollup = { ...terms, gasPrice: GWEI / 1_000n, dataFee: 10n ** 13n };
    const { first, repeat, agedRepeat } = minimumAmounts(DOLLAR, 6, rollup);

    // 10^13 wei are 2 cents: 1% of 2 dollars.
    expect(agedRepeat).toBeGreaterThanOrEqual(20_000n);
    expect(repeat).toBeGreaterThanOrEqual(2_000_000n);
    expect(first - repeat).toBe((minimumAmounts(DOLLAR, 6, { ...rollup, dataFee: 0n }).first * 45n) / 65n);
  });

  it('is nothing where gas costs nothing', () => {
    expect(minimumAmounts(DOLLAR, 6, { ...terms, gasPrice: 0n }).first).toBe(0n);
  });
});
