import { describe, expect, it } from '@jest/globals';
import { currencyDigits as digitsInMedusa } from '../../clients/medusa-payment/src/currency-digits.js';
import { currencyDigits } from '#shared/kernel/currency.js';

describe('A currency', () => {
  it('has the same digits in the provider for Medusa as in the service', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const pairs = letters.flatMap((one) => letters.map((two) => one + two));
    const codes = pairs.flatMap((pair) => letters.map((three) => pair + three));

    expect(codes.filter((code) => digitsInMedusa(code) !== currencyDigits(code))).toEqual([]);
  });
});
