import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { buildOpenApiDocument } from './openapi.js';
import { type ExampleApi, startExampleApi } from '../testing/example-api.js';

let api: ExampleApi;
let document: OpenAPIObject;
beforeAll(async () => {
  api = await startExampleApi();
  document = buildOpenApiDocument(api.app, {
    title: 'Example',
    version: '1',
    serverUrls: ['https://a.example'],
  });
});
afterAll(() => api.close());

const operation = (path: string, method: 'get' | 'post') => document.paths[path]?.[method];

interface Documented {
  description: string;
  content: { 'application/json': { schema: object; examples: Record<string, { value: object }> } };
}
const response = (path: string, method: 'get' | 'post', status: number) =>
  operation(path, method)?.responses[status] as Documented | undefined;

describe('The generated reference', () => {
  it('requires both credentials, and none on public routes', () => {
    expect(document.security).toEqual([{ bearer: [], 'api-key': [] }]);
    expect(operation('/v1/things', 'get')?.security).toBeUndefined();
    expect(operation('/v1/things/raw', 'get')?.security).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('x-public-operation');
  });

  it('describes a success in its envelope, as 200 only', () => {
    expect(response('/v1/things', 'post', 200)).toMatchObject({
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ThingEnvelope' },
          example: { status: 'success', data: { name: 'Shop' } },
        },
      },
    });
    expect(response('/v1/things', 'post', 201)).toBeUndefined();
    expect(document.components?.schemas?.['ThingPage']).toMatchObject({
      properties: { data: { items: { $ref: '#/components/schemas/Thing' } }, total: { type: 'integer' } },
    });
  });

  it('has an example of every error, both common and specific to the operation', () => {
    const examplesOf = (path: string, method: 'get' | 'post', status: number) =>
      Object.keys(response(path, method, status)?.content['application/json'].examples ?? {});

    expect(examplesOf('/v1/things', 'post', 404)).toEqual(['not_found']);
    expect(examplesOf('/v1/things', 'post', 403)).toEqual([
      ...['account_not_allowed', 'device_not_allowed', 'ip_not_allowed', 'role_required'],
    ]);
    expect(examplesOf('/v1/things', 'get', 401)).toContain('token_expired');
    expect(examplesOf('/v1/things/raw', 'get', 401)).toEqual([]);
    expect(examplesOf('/v1/things/raw', 'get', 500)).toEqual(['internal_error']);
  });

  it('describes fields and parameters by their validation rules', () => {
    const { ThingBody, ThingSize } = document.components?.schemas as Record<string, object>;

    expect(ThingBody).toMatchObject({
      required: ['name', 'amount'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 10, example: 'Shop' },
        amount: { type: 'string', maxLength: 100 },
        return_url: { type: 'string', format: 'uri' },
        type: { type: 'string', enum: ['online', 'physical'] },
        order: { $ref: '#/components/schemas/OrderBody' },
      },
    });
    expect(ThingSize).toEqual({
      type: 'string',
      description: 'Of the box. Known values: `small`, `large`. More may be added.',
      example: 'small',
      'x-extensible-enum': ['small', 'large'],
    });
    expect(operation('/v1/things/strict', 'get')?.parameters).toMatchObject([
      { name: 'page', required: false },
      { name: 'page_size', required: true, schema: { minimum: 5 } },
      { name: 'after', required: false },
      { name: 'X-Read-After', required: false },
    ]);
  });
});
