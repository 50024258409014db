import { describe, expect, it } from '@jest/globals';
import { currencyDigits as digitsInPlugins } from '../../clients/plugin-contract/src/currency-digits.js';
import { currencyDigits } from '#shared/kernel/currency.js';

describe('A currency', () => {
  it('has the same digits in the shop plugins as in the service', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const pairs = letters.flatMap((one) => letters.map((two) => one + two));
    const codes = pairs.flatMap((pair) => letters.map((three) => pair + three));

    expect(codes.filter((code) => digitsInPlugins(code) !== currencyDigits(code))).toEqual([]);
  });
});
