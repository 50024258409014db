import { describe, expect, it } from '@jest/globals';
import { toCamelCaseFields } from './text.js';

describe('Converting a body to camelCase', () => {
  it('converts only the names at the top level, and omits null fields', () => {
    const body = { return_url: 'https://shop.example', reference_id: null, order: { coin_code: 'EUR' } };

    expect(toCamelCaseFields(body)).toStrictEqual({
      returnUrl: 'https://shop.example',
      order: { coin_code: 'EUR' },
    });
  });
});
