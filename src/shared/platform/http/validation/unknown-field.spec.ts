import { describe, expect, it } from '@jest/globals';
import { nearestField, unknownFieldMessage } from './unknown-field.js';

const CHECKOUT = ['amount', 'coin_code', 'reference_id', 'payer_email', 'order', 'return_url'];

describe('The field that was meant', () => {
  it.each([
    ['orderId', 'reference_id'],
    ['order_id', 'reference_id'],
    ['referenceId', 'reference_id'],
    ['currency', 'coin_code'],
    ['coinCode', 'coin_code'],
    ['amuont', 'amount'],
    ['return-url', 'return_url'],
    ['refrence_id', 'reference_id'],
    ['successUrl', 'return_url'],
  ])('is found for %s: %s', (name, field) => {
    expect(nearestField(name, CHECKOUT)).toBe(field);
  });

  it('is another one for the same name in another request', () => {
    expect(nearestField('currency', ['amount', 'unique_asset_id'])).toBe('unique_asset_id');
    expect(nearestField('callback_url', ['url', 'event_type'])).toBe('url');
  });

  it.each(['callback_url', 'surprise', '', 'a', '__proto__', 'amount'.repeat(1000)])(
    'is not guessed for %.20j',
    (name) => {
      expect(nearestField(name, CHECKOUT)).toBeUndefined();
    },
  );
});

describe('The message about an unknown field', () => {
  it('names the field that was meant, or says to remove it', () => {
    expect(unknownFieldMessage('orderId', CHECKOUT)).toBe(
      'is not a field of this request. Did you mean reference_id?',
    );
    expect(unknownFieldMessage('surprise', CHECKOUT)).toBe('is not a field of this request. Remove it.');
  });
});
