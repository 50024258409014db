import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amounts, decimals, expectAlways, wholeNumbers } from '#test/support/properties.js';
import { minimumAmounts, NATIVE_PAYOUT_GAS, TOKEN_PAYOUT_GAS } from './worth-settling.js';

const GWEI = 10n ** 9n;
const terms = {
  gasPrice: GWEI,
  dataFee: 0n,
  gas: TOKEN_PAYOUT_GAS,
  nativeDecimals: 18,
  maxGasSharePercent: 1,
};
/** Price: a dollar is worth 0.0005 of the native coin. */
const DOLLAR = { digits: 5n, scale: 4 };

describe('The minimum worth settling', () => {
  it('is the amount of which its gas is the maximum share, rounded up', () => {
    // The gas costs 0.000065 coins, which is 1% of 0.0065 coins or 9.285714… units of an asset at 0.0007 coins.
    const { first } = minimumAmounts({ digits: 7n, scale: 4 }, 6, terms);

    expect(first).toBe(9_285_715n);
  });

  it('is the smallest amount whose payout costs at most the share, or at most the full amount once it is old', () => {
    const gasCosts = [amounts(1n, 10n ** 12n), amounts(0n, 10n ** 16n)] as const;
    const assets = [amounts(1n, 10n ** 12n), decimals] as const;
    const gasOf = fc.constantFrom(TOKEN_PAYOUT_GAS, NATIVE_PAYOUT_GAS);
    const cases = [...gasCosts, wholeNumbers(1, 100), ...assets, gasOf] as const;
    expectAlways([...cases], (gasPrice, dataFee, share, digits, units, gas) => {
      const price = { digits, scale: 9 };
      const minimum = minimumAmounts(price, units, {
        ...terms,
        gasPrice,
        dataFee,
        gas,
        maxGasSharePercent: share,
      });
      const isWorth = (amount: bigint, used: bigint, percent: number) =>
        (used * gasPrice + dataFee) * 100n * 10n ** BigInt(units + price.scale) <=
        amount * BigInt(percent) * digits * 10n ** 18n;

      for (const [amount, used, percent] of [
        [minimum.first, gas.first, share],
        [minimum.repeat, gas.repeat, share],
        [minimum.agedFirst, gas.first, 100],
        [minimum.agedRepeat, gas.repeat, 100],
      ] as const)
        expect([isWorth(amount, used, percent), isWorth(amount - 1n, used, percent)]).toEqual([true, false]);
    });
  });

  it('is zero if gas is free', () => {
    expect(minimumAmounts(DOLLAR, 6, { ...terms, gasPrice: 0n }).first).toBe(0n);
  });
});
