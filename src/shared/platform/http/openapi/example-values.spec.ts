import { describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { fillExamples, parseExampleValues } from './example-values.js';

describe('A set of example values', () => {
  it('replaces examples of parameters and bodies by name, at any depth, and nothing else', () => {
    const body = {
      coin_code: 'EUR',
      amount: '12.50',
      order: { items: [{ coin_code: 'EUR', quantity: 2 }] },
      config: { payment_options: ['one', 'other'], frame_origins: [] },
    };
    const operation = {
      parameters: [
        { name: 'posID', in: 'path' },
        { name: 'page', in: 'query', example: 1 },
      ],
      requestBody: { content: { 'application/json': { example: body } } },
      responses: { 200: { content: { 'application/json': { example: { coin_code: 'EUR' } } } } },
    };
    const fields = () => ({ coin_code: { type: 'string', example: 'EUR' }, items: { $ref: '#/…' } });
    const schemas = { OrderBody: { properties: fields() }, Order: { properties: fields() } };
    const paths = { '/v1/pos/{posID}': { post: operation } };
    const document = { paths, components: { schemas } } as unknown as OpenAPIObject;

    fillExamples(document, {
      ...{ coin_code: 'USD', posID: 'till', quantity: 'never', unheard: 'of', payment_options: 'mine' },
    });

    expect(operation.parameters).toEqual([
      { name: 'posID', in: 'path', example: 'till' },
      { name: 'page', in: 'query', example: 1 },
    ]);
    expect(body).toEqual({
      coin_code: 'USD',
      amount: '12.50',
      order: { items: [{ coin_code: 'USD', quantity: 2 }] },
      config: { payment_options: ['mine'], frame_origins: [] },
    });
    expect(schemas.OrderBody.properties.coin_code.example).toBe('USD');
    expect(schemas.Order.properties).toEqual(fields());
    expect(operation.responses[200].content['application/json'].example).toEqual({ coin_code: 'EUR' });
  });

  it.each(['', 'USD', '[1]', '{"page": 1}', 'null'])(
    'is rejected if its text is not of the right form: %j',
    (text) => {
      expect(() => parseExampleValues(text)).toThrow();
    },
  );
});
