import { describe, expect, it } from '@jest/globals';
import { forEachSeed, type SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { convertedAmount } from '../contract/amount-rounding-rule.js';
import { crossPrice, isPrice } from './prices.js';
import { differByMore, medianOf } from './agreed-rate.js';

/** A decimal above zero: anything from dust to far beyond what is ever paid. */
function anyDecimal(random: SeededRandom): { text: string; digits: bigint; scale: number } {
  const digits = random.bits(random.whole(1, 120)) + 1n;
  const scale = random.whole(0, 24);
  const padded = digits.toString().padStart(scale + 1, '0');
  const whole = padded.slice(0, padded.length - scale);
  return { text: scale === 0 ? whole : `${whole}.${padded.slice(-scale)}`, digits, scale };
}

const tenTo = (exponent: number) => 10n ** BigInt(exponent);

describe('The amount that is worth a price', () => {
  it.each([
    ['10', '1', 6, 10_000_000n],
    ['10', '3', 6, 3_333_334n],
    ['10.00', '0.9', 6, 11_111_112n],
    ['9.00', '0.9', 6, 10_000_000n],
    ['0.01', '2512.31', 18, 3_980_400_507_900n],
    ['1', '1000000', 2, 1n],
    ['1', '0.000001', 0, 1_000_000n],
  ])('of %s at %s each, with %d digits, is %d', (coinAmount, price, decimals, amount) => {
    expect(convertedAmount(coinAmount, price, decimals)).toBe(amount);
  });

  it('is always the least that is worth enough', () => {
    forEachSeed(2_000, (random) => {
      const coin = anyDecimal(random);
      const price = anyDecimal(random);
      const decimals = random.whole(0, 36);

      const amount = convertedAmount(coin.text, price.text, decimals);

      const worth = (units: bigint) => units * price.digits * tenTo(coin.scale);
      const asked = coin.digits * tenTo(price.scale + decimals);
      expect(worth(amount) >= asked).toBe(true);
      expect(worth(amount - 1n) < asked).toBe(true);
    });
  });

  it.each(['0', '0.00', '-1', '1e3', '', '.5', '1.', ' 1', 'NaN', '0x1', '１'])(
    'is not taken from %j',
    (text) => {
      expect(() => convertedAmount(text, '1', 6)).toThrow(RangeError);
      expect(() => convertedAmount('1', text, 6)).toThrow(RangeError);
    },
  );
});

describe('The median', () => {
  it.each([
    [['0.90000'], '0.9'],
    [['0.9', '0.91'], '0.905'],
    [['2512.31', '2512.3'], '2512.305'],
    [['10', '9', '100'], '10'],
    [['4', '1', '3', '2'], '2.5'],
    [['0.1', '0.02', '0.003'], '0.02'],
  ])('of %j is %s', (prices, median) => {
    expect(medianOf(prices)).toBe(median);
  });

  it('has at least half of the prices on either side, in any order', () => {
    forEachSeed(300, (random) => {
      const prices = Array.from({ length: random.whole(1, 7) }, () => anyDecimal(random).text);

      const median = medianOf(prices);

      const compare = (text: string) => compareDecimals(text, median);
      expect(prices.filter((text) => compare(text) <= 0).length * 2).toBeGreaterThanOrEqual(prices.length);
      expect(prices.filter((text) => compare(text) >= 0).length * 2).toBeGreaterThanOrEqual(prices.length);
      expect(medianOf(random.shuffled(prices))).toBe(median);
    });
  });

  it('of nothing is refused', () => {
    expect(() => medianOf([])).toThrow(RangeError);
  });
});

function compareDecimals(a: string, b: string): number {
  const units = (text: string) =>
    BigInt(text.replace('.', '') + '0'.repeat(60 - (text.split('.')[1] ?? '').length));
  return units(a) === units(b) ? 0 : units(a) < units(b) ? -1 : 1;
}

describe('How far prices differ', () => {
  it.each([
    [['100', '102'], 200, false],
    [['100', '102.0001'], 200, true],
    [['102.0001', '101', '100'], 200, true],
    [['0.00001', '0.0000102'], 200, false],
    [['1'], 1, false],
    [[], 1, false],
  ])('%j by more than %d basis points: %s', (prices, basisPoints, more) => {
    expect(differByMore(prices, basisPoints)).toBe(more);
  });
});

describe('The price of one asset in another', () => {
  it.each([
    ['1', '3', '0.333333333333333333'],
    ['2', '3', '0.666666666666666666'],
    ['1', '2512.31', '0.00039804005078991048'],
    ['3000', '1', '3000'],
    ['3000', '0.5', '6000'],
    ['123456789012345678901234', '1', '123456789012345678000000'],
    ['0.000000000000000001', '1000000000', '0.000000000000000000000000001'],
  ])('at %s and %s is %s', (asset, coin, price) => {
    expect(crossPrice(asset, coin)).toBe(price);
  });

  it('is cut off after 18 digits, never rounded up', () => {
    forEachSeed(1_000, (random) => {
      const asset = anyDecimal(random);
      const coin = anyDecimal(random);

      const [whole = '', fraction = ''] = crossPrice(asset.text, coin.text).split('.');

      const digits = BigInt(whole + fraction);
      const exact = asset.digits * tenTo(coin.scale + fraction.length);
      const divisor = coin.digits * tenTo(asset.scale);
      const oneMoreInThe18th = digits * tenTo(18) + tenTo(digits.toString().length);
      expect(digits.toString().replace(/0+$/, '').length).toBeLessThanOrEqual(18);
      expect(digits * divisor <= exact).toBe(true);
      expect(oneMoreInThe18th * divisor > exact * tenTo(18)).toBe(true);
    });
  });
});

describe('A price from outside', () => {
  it.each(['1', '0.9', '2512.31000', '0.00000001', '98765.4'])('may be %s', (text) => {
    expect(isPrice(text)).toBe(true);
  });

  it.each([
    '0',
    '0.000',
    '',
    '1.',
    '.1',
    '01',
    '-1',
    '+1',
    '1e-7',
    '1,5',
    ' 1',
    '1\n',
    'NaN',
    '9'.repeat(41),
  ])('may not be %j', (text) => {
    expect(isPrice(text)).toBe(false);
  });
});
