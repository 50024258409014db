import { describe, expect, it } from '@jest/globals';
import { decimals, expectAlways, prices } from '#test/support/properties.js';
import { smallestAssetAmountWorth, parseDecimal } from '#shared/kernel/decimal.js';
import { crossPrice, isPrice } from './prices.js';
import { medianWithinSpread, differByMore, medianOf } from './median-within-spread.js';
import { listPriceCurrencies } from './peg-rule.js';

describe('The amount that is worth a price', () => {
  it.each([
    ['10', '1', 6, 10_000_000n],
    ['10', '3', 6, 3_333_334n],
    ['9.00', '0.9', 6, 10_000_000n],
    ['0.01', '2512.31', 18, 3_980_400_507_900n],
    ['1', '0.000001', 0, 1_000_000n],
  ])('converts %s at a price of %s with %d decimals to %d', (coinAmount, price, decimals, amount) => {
    expect(smallestAssetAmountWorth(coinAmount, price, decimals)).toBe(amount);
  });

  it('is the smallest amount that is worth at least that', () => {
    expectAlways([prices, prices, decimals], (coinAmount, price, digits) => {
      const [asked, each] = [parseDecimal(coinAmount), parseDecimal(price)];
      const isEnough = (amount: bigint) =>
        amount * each.digits * 10n ** BigInt(asked.scale) >=
        asked.digits * 10n ** BigInt(digits + each.scale);
      const amount = smallestAssetAmountWorth(coinAmount, price, digits);

      expect([isEnough(amount), isEnough(amount - 1n)]).toEqual([true, false]);
    });
  });

  it.each(['0', '-1', '1e3', '', '.5', '1.', ' 1', 'NaN', '１'])('rejects %j', (text) => {
    expect(() => smallestAssetAmountWorth(text, '1', 6)).toThrow(RangeError);
    expect(() => smallestAssetAmountWorth('1', text, 6)).toThrow(RangeError);
  });
});

describe('The median of prices', () => {
  it.each([
    [['0.90000'], '0.9'],
    [['0.9', '0.91'], '0.905'],
    [['2512.31', '2512.3'], '2512.305'],
    [['4', '1', '3', '2'], '2.5'],
    [['0.1', '0.02', '0.003'], '0.02'],
  ])('is for %j %s', (prices, median) => {
    expect(medianOf(prices)).toBe(median);
  });
});
describe('The difference between prices', () => {
  it.each([
    [['100', '102'], 200, false],
    [['100', '102.0001'], 200, true],
    [['102.0001', '101', '100'], 200, true],
    [['0.00001', '0.0000102'], 200, false],
    [['1'], 1, false],
    [[], 1, false],
  ])('exceeds for %j the limit of %d basis points: %s', (prices, basisPoints, more) => {
    expect(differByMore(prices, basisPoints)).toBe(more);
  });
});

describe('The agreed rate', () => {
  it('is the median of prices within the limit', () => {
    expect([medianWithinSpread(['100', '102'], 200), medianWithinSpread(['100', '102.1'], 200)]).toEqual([
      '101',
      null,
    ]);
  });
});

describe('The list of coins with a price', () => {
  it('contains currencies only if they are pegs or there is a market, and each coin once', () => {
    const assets = [{ symbol: 'USDC', peg: 'USD' }, { symbol: 'WETH' }, { symbol: 'USDC', peg: 'USD' }];

    expect(listPriceCurrencies(assets, false)).toEqual(['USD', 'USDC', 'WETH']);
    expect(
      listPriceCurrencies(assets, true)
        .filter((coin) => ['EUR', 'USD', 'WETH'].includes(coin))
        .sort(),
    ).toEqual([...['EUR', 'USD', 'WETH']]);
  });
});

describe('The price of one asset in another', () => {
  it.each([
    ['1', '3', '0.333333333333333333'],
    ['2', '3', '0.666666666666666666'],
    ['1', '2512.31', '0.00039804005078991048'],
    ['3000', '1', '3000'],
    ['123456789012345678901234', '1', '123456789012345678000000'],
    ['0.000000000000000001', '1000000000', '0.000000000000000000000000001'],
  ])('is for %s and %s, cut after 18 digits, %s', (asset, coin, price) => {
    expect(crossPrice(asset, coin)).toBe(price);
  });
});

describe('A price from outside', () => {
  it.each(['1', '0.9', '2512.31000', '0.00000001', '9'.repeat(40)])('accepts %s', (text) => {
    expect(isPrice(text)).toBe(true);
  });

  it.each(['0', '0.000', '', '1.', '.1', '01', '-1', '1e-7', '1,5', ' 1', '1\n', 'NaN', '9'.repeat(41)])(
    'rejects %j',
    (text) => {
      expect(isPrice(text)).toBe(false);
    },
  );
});
