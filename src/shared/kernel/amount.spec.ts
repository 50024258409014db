import { describe, expect, it } from '@jest/globals';
import { formatAmount, MAX_AMOUNT, parseAmount } from './amount.js';
import { forEachSeed } from './testing/seeded-random.js';

describe('Reading an amount', () => {
  it.each([
    ['1', 6, 1_000_000n],
    ['12.5', 6, 12_500_000n],
    ['0.000001', 6, 1n],
    ['12.50', 2, 1_250n],
    ['7', 0, 7n],
    ['0.000000000000000001', 18, 1n],
  ])('takes %s with %i fraction digits as %i', (text, decimals, amount) => {
    expect(parseAmount(text, decimals)).toBe(amount);
  });

  it.each([
    '',
    ' ',
    ' 1',
    '1 ',
    '+1',
    '-1',
    '.5',
    '5.',
    '1.2.3',
    '01',
    '00.1',
    '1e3',
    '1E3',
    '1_000',
    '1,5',
    '0x10',
    'NaN',
    'Infinity',
    '١٢',
    '１',
    '1\n',
    '1\u0000',
    `1.${'0'.repeat(200)}`,
    '9'.repeat(101),
  ])('refuses %j', (text) => {
    expect(parseAmount(text, 6)).toBe('not_a_decimal');
  });

  it('refuses a fraction digit more than the asset has', () => {
    expect([parseAmount('0.0000001', 6), parseAmount('1.1', 0), parseAmount('1.00000010', 6)]).toEqual([
      'too_many_decimals',
      'too_many_decimals',
      'too_many_decimals',
    ]);
  });

  it('reads zeros at the end of the fraction, also beyond the digits of the asset', () => {
    expect([parseAmount('1000.00', 0), parseAmount('1.50000000', 6), parseAmount('10.0', 2)]).toEqual([
      1_000n,
      1_500_000n,
      1_000n,
    ]);
  });

  it('refuses nothing', () => {
    expect([parseAmount('0', 6), parseAmount('0.000000', 6)]).toEqual(['not_positive', 'not_positive']);
  });

  it('takes the largest amount a chain can hold, and nothing larger', () => {
    expect(parseAmount(MAX_AMOUNT.toString(), 0)).toBe(MAX_AMOUNT);
    expect(parseAmount((MAX_AMOUNT + 1n).toString(), 0)).toBe('too_large');
    expect(parseAmount(MAX_AMOUNT.toString(), 1)).toBe('too_large');
  });
});

describe('Writing an amount', () => {
  it.each([
    [0n, 6, '0'],
    [1n, 6, '0.000001'],
    [12_500_000n, 6, '12.5'],
    [10_000_000n, 6, '10'],
    [7n, 0, '7'],
    [100n, 0, '100'],
    [-12_500_000n, 6, '-12.5'],
    [-1n, 18, '-0.000000000000000001'],
  ])('writes %i with %i fraction digits as %s', (amount, decimals, text) => {
    expect(formatAmount(amount, decimals)).toBe(text);
  });
});

describe('An amount that is written and read', () => {
  it('is the same again, and written in the one plain way', () => {
    forEachSeed(2_000, (random) => {
      const decimals = random.whole(0, 20);
      const amount = random.bits(random.whole(1, 256)) || 1n;

      const text = formatAmount(amount, decimals);

      expect(parseAmount(text, decimals)).toBe(amount);
      expect(text).toMatch(/^(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/);
      expect(formatAmount(-amount, decimals)).toBe(`-${text}`);
    });
  });

  it('keeps the order and the sum of what was written', () => {
    forEachSeed(500, (random) => {
      const decimals = random.whole(0, 18);
      const [a, b] = [random.bits(200) + 1n, random.bits(200) + 1n];

      const [readA, readB] = [a, b].map((amount) =>
        parseAmount(formatAmount(amount, decimals), decimals),
      ) as [bigint, bigint];

      expect(readA + readB).toBe(a + b);
      expect(readA < readB).toBe(a < b);
    });
  });

  it('reads padding of the fraction with zeros as nothing', () => {
    forEachSeed(500, (random) => {
      const decimals = random.whole(1, 18);
      const amount = random.bits(random.whole(1, 128)) || 1n;
      const [whole, fraction = ''] = formatAmount(amount, decimals).split('.');

      const padded = `${whole}.${fraction.padEnd(random.whole(Math.max(fraction.length, 1), decimals), '0')}`;

      expect(parseAmount(padded, decimals)).toBe(amount);
    });
  });
});
