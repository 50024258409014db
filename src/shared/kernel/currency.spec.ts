import { describe, expect, it } from '@jest/globals';
import { currencyDigits, isCurrency } from './currency.js';

describe('A currency', () => {
  it.each([
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['XCG', 2],
    ['ZWG', 2],
  ])('has the fraction digits of ISO 4217: %s has %d', (code, digits) => {
    expect(currencyDigits(code)).toBe(digits);
    expect(isCurrency(code)).toBe(true);
  });

  it.each([
    ...['XXX', 'XTS', 'XAU', 'XDR'],
    ...['DEM', 'HRK', 'BGN'],
    ...['usd', 'USDC', '', '840', '__proto__'],
  ])('cannot be a metal, a former currency or other text: %j', (code) => {
    expect([isCurrency(code), currencyDigits(code)]).toEqual([false, undefined]);
  });
});
