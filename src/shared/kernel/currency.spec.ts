import { describe, expect, it } from '@jest/globals';
import { currencyDigits, isCurrency } from './currency.js';

describe('A currency', () => {
  it.each([
    ['USD', 2],
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['XAF', 0],
    ['XOF', 0],
    ['XCG', 2],
    ['ZWG', 2],
  ])('%s has %d fraction digits', (code, digits) => {
    expect(currencyDigits(code)).toBe(digits);
    expect(isCurrency(code)).toBe(true);
  });

  it.each(['XXX', 'XTS', 'XAU', 'XAG', 'XPT', 'XPD', 'XDR', 'XSU', 'XUA', 'XBA'])(
    'is not %s, in which nobody pays',
    (code) => {
      expect(currencyDigits(code)).toBeUndefined();
    },
  );

  it.each(['DEM', 'HRK', 'ANG', 'BGN', 'CUC', 'ZWL'])('is not %s, which has been withdrawn', (code) => {
    expect(isCurrency(code)).toBe(false);
  });

  it.each(['usd', 'USDC', 'BTC', '', '840', '__proto__'])('is not %j', (code) => {
    expect(isCurrency(code)).toBe(false);
  });
});
