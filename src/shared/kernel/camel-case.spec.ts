import { describe, expect, it } from '@jest/globals';
import { inCamelCase } from './camel-case.js';

describe('A body in camelCase', () => {
  it('has the names of the code, and nothing of a field that is null', () => {
    const body = { return_url: 'https://shop.example', reference_id: null, order: { coin_code: 'EUR' } };

    expect(inCamelCase(body)).toStrictEqual({
      returnUrl: 'https://shop.example',
      order: { coin_code: 'EUR' },
    });
  });
});
