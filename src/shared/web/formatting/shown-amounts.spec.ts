import { describe, expect, it } from '@jest/globals';
import { subtractDecimals, formatUngroupedAmount, formatCoinAmount, shortenAmount } from './shown-amounts.js';

const NBSP = '\u00a0';

describe('A short amount', () => {
  it.each([
    ['9999.99996575398044683', '9999.99'],
    ['1234567.899', '1234567.89'],
    ['12.4375', '12.4375'],
    ['0.00007512345678', '0.0000751234'],
    ['-0.1234567', '-0.123456'],
    ['5', '5'],
  ])('keeps six significant digits and the cents of %s, rounded down', (amount, short) => {
    expect(shortenAmount(amount)).toBe(short);
  });
});

describe('An amount of a coin', () => {
  it.each([
    ['0.1', 'EUR', 'en', '€0.10'],
    ['12345678901234567890.12', 'EUR', 'en', '€12,345,678,901,234,567,890.12'],
    ['0.1234567890123456789012345', 'EUR', 'en', '€0.1234567890123456789012345'],
    ['25', 'EUR', 'es', `25,00${NBSP}€`],
    ['1500', 'JPY', 'en', '¥1,500'],
    ['1500.5', 'JPY', 'en', '¥1,500.5'],
    ['1.50', 'USDC', 'es', `1,50${NBSP}USDC`],
    ['1', 'DAI', 'en', `1.00${NBSP}DAI`],
  ] as const)('is shown in the style of the language: %s %s in %s as %s', (amount, coin, language, shown) => {
    expect(formatCoinAmount(amount, coin, language)).toBe(shown);
  });
});

describe('An amount of an asset', () => {
  it('is shown with all of its digits', () => {
    expect(formatUngroupedAmount('0.000000000000000001', 'DAI', 'en')).toBe(`0.000000000000000001${NBSP}DAI`);
  });
});

describe('A difference of two amounts', () => {
  it.each([
    ['30', '27.182819', '2.817181'],
    ['0.3', '0.1', '0.2'],
    ['1.5', '1.50', '0'],
    ['1', '2', '0'],
    ['100000000000000000000.000000000000000001', '100000000000000000000', '0.000000000000000001'],
  ])('is exact, and never below zero: %s less %s is %s', (more, less, rest) => {
    expect(subtractDecimals(more, less)).toBe(rest);
  });
});
