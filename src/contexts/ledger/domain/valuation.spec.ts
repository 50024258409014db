import { describe, expect, it } from '@jest/globals';
import { valuationOf } from './valuation.js';

const at = new Date('2030-01-15T12:00:00.000Z');
const rate = (currency: string, price: string) => ({ currency, price, sources: ['kraken'], at });
const NOTHING = { booksCurrency: null, locked: null, recorded: null };

describe('The value of money', () => {
  it.each([
    ['the locked rate', 'EUR', rate('EUR', '0.92'), rate('EUR', '0.93'), 'locked', '0.92'],
    [
      'the recorded rate where the request asked in another coin',
      'USD',
      rate('EUR', '0.92'),
      rate('USD', '1.01'),
      'recorded',
      '1.01',
    ],
    ['the coin of the request without a setting', null, rate('EUR', '0.92'), null, 'locked', '0.92'],
  ])('uses %s', (_, booksCurrency, locked, recorded, basis, price) => {
    expect(valuationOf({ booksCurrency, locked, recorded })).toMatchObject({ basis, price, at });
  });

  it('is missing without a rate or a currency of the books', () => {
    expect(valuationOf({ ...NOTHING, booksCurrency: 'EUR' })).toEqual({ basis: 'missing', currency: 'EUR' });
    expect(valuationOf({ ...NOTHING, booksCurrency: 'EUR', locked: rate('USD', '1') })).toEqual({
      basis: 'missing',
      currency: 'EUR',
    });
    expect(valuationOf(NOTHING)).toEqual({ basis: 'missing' });
    expect(valuationOf({ ...NOTHING, locked: rate('USDC', '1') })).toEqual({ basis: 'missing' });
  });
});
