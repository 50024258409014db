import { expect, it } from '@jest/globals';
import { inCamelCase } from './camel-case.js';

it('converts the names of a body to camelCase, and omits null fields', () => {
  const body = { return_url: 'https://shop.example', reference_id: null, order: { coin_code: 'EUR' } };

  expect(inCamelCase(body)).toStrictEqual({ returnUrl: 'https://shop.example', order: { coin_code: 'EUR' } });
});
