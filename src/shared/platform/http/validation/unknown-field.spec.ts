import { describe, expect, it } from '@jest/globals';
import { nearestField, unknownFieldMessage } from './unknown-field.js';

const CHECKOUT = ['amount', 'coin_code', 'reference_id', 'payer_email', 'order', 'return_url'];

describe('The field that an unknown name stands for', () => {
  it.each([
    ['orderId', 'reference_id'],
    ['referenceId', 'reference_id'],
    ['currency', 'coin_code'],
    ['amuont', 'amount'],
    ['refrence_id', 'reference_id'],
    ['successUrl', 'return_url'],
  ])('is found: %s stands for %s', (name, field) => {
    expect(nearestField(name, CHECKOUT)).toBe(field);
  });

  it('depends on the fields of the request', () => {
    expect(nearestField('currency', ['amount', 'unique_asset_id'])).toBe('unique_asset_id');
    expect(nearestField('callback_url', ['url', 'event_type'])).toBe('url');
  });

  it.each(['callback_url', 'surprise', '', 'a', '__proto__', 'amount'.repeat(1000)])(
    'is not guessed if the name resembles none: %.20j',
    (name) => {
      expect(nearestField(name, CHECKOUT)).toBeUndefined();
    },
  );
});

describe('The message about an unknown field', () => {
  it('names the intended field, or says to remove the unknown one', () => {
    expect(unknownFieldMessage('orderId', CHECKOUT)).toBe(
      'is not a field of this request. Did you mean reference_id?',
    );
    expect(unknownFieldMessage('surprise', CHECKOUT)).toBe('is not a field of this request. Remove it.');
  });
});
