import { describe, expect, it } from '@jest/globals';
import { amounts, decimals, expectAlways } from '#test/support/properties.js';
import { formatAmount, MAX_AMOUNT, parseAmount } from './amount.js';

describe('Reading an amount', () => {
  it.each([
    ['1', 6, 1_000_000n],
    ['12.5', 6, 12_500_000n],
    ['0.000001', 6, 1n],
    ['12.50', 2, 1_250n],
    ['7', 0, 7n],
    ['0.000000000000000001', 18, 1n],
  ])('returns the smallest units: %s with %i fraction digits is %i', (text, decimals, amount) => {
    expect(parseAmount(text, decimals)).toBe(amount);
  });

  it.each([
    ...['', ' 1', '1 ', '+1', '-1', '.5', '5.', '1.2.3', '01', '1e3', '1_000', '1,5', '0x10', 'NaN', '١٢'],
    ...['1\n', '1\u0000', `1.${'0'.repeat(200)}`, '9'.repeat(101)],
  ])('rejects any other text: %j', (text) => {
    expect(parseAmount(text, 6)).toBe('not_a_decimal');
  });

  it('rejects more fraction digits than the asset has, except zeros, and an amount of zero', () => {
    expect([parseAmount('0.0000001', 6), parseAmount('1.1', 0)]).toEqual(Array(2).fill('too_many_decimals'));
    expect([parseAmount('1000.00', 0), parseAmount('1.50000000', 6)]).toEqual([1_000n, 1_500_000n]);
    expect([parseAmount('0', 6), parseAmount('0.000000', 6)]).toEqual(['not_positive', 'not_positive']);
  });

  it('reads at most 100 characters', () => {
    expect([100, 101].map((length) => parseAmount('1.'.padEnd(length, '0'), 0))).toEqual([
      1n,
      'not_a_decimal',
    ]);
  });

  it('accepts the largest amount of a chain, and nothing larger', () => {
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
    [-12_500_000n, 6, '-12.5'],
    [-1n, 18, '-0.000000000000000001'],
  ])('formats the smallest units: %i with %i fraction digits is %s', (amount, decimals, text) => {
    expect(formatAmount(amount, decimals)).toBe(text);
  });
});

describe('A formatted amount', () => {
  it('is read back as the same amount', () => {
    expectAlways([amounts(), decimals], (amount, digits) => {
      const text = formatAmount(amount, digits);

      expect(parseAmount(text, digits)).toBe(amount);
      expect(text).toMatch(/^(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$/);
      expect(formatAmount(-amount, digits)).toBe(`-${text}`);
    });
  });
});
