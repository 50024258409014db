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
    serverUrls: ['https://api.example'],
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

describe('The reference', () => {
  it('requires both credentials together, and none on public routes', () => {
    expect(document.security).toEqual([{ bearer: [], 'api-key': [] }]);
    expect(operation('/v1/things', 'get')?.security).toBeUndefined();
    expect(operation('/v1/things/raw', 'get')?.security).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('x-public-operation');
  });

  it('shows a success in its envelope, as 200 only', () => {
    expect(response('/v1/things', 'post', 200)).toMatchObject({
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ThingEnvelope' },
          example: { status: 'success', data: { name: 'Shop' } },
        },
      },
    });
    expect(document.components?.schemas?.['ThingEnvelope']).toEqual({
      type: 'object',
      required: ['status', 'data'],
      properties: {
        status: { $ref: '#/components/schemas/SuccessStatus' },
        data: { $ref: '#/components/schemas/Thing' },
      },
      additionalProperties: true,
    });
    expect(response('/v1/things', 'post', 201)).toBeUndefined();
    expect(response('/v1/things', 'get', 200)?.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/ThingPageEnvelope',
    });
    expect(document.components?.schemas?.['ThingPage']).toMatchObject({
      properties: { data: { items: { $ref: '#/components/schemas/Thing' } }, total: { type: 'integer' } },
    });
  });

  it('shows an example of every error, the common ones beside the operation’s own', () => {
    const examplesOf = (path: string, method: 'get' | 'post', status: number) =>
      Object.keys(response(path, method, status)?.content['application/json'].examples ?? {});

    expect(examplesOf('/v1/things', 'post', 404)).toEqual(['not_found']);
    expect(examplesOf('/v1/things', 'post', 403)).toEqual([
      'account_not_allowed',
      'device_not_allowed',
      'ip_not_allowed',
      'role_required',
    ]);
    expect(examplesOf('/v1/things', 'post', 400)).toEqual([
      'malformed_json',
      'unknown_field',
      'validation_failed',
    ]);
    expect(examplesOf('/v1/things', 'get', 401)).toContain('token_expired');
    expect(examplesOf('/v1/things/raw', 'get', 401)).toEqual([]);
    expect(examplesOf('/v1/things/raw', 'get', 500)).toEqual(['internal_error']);
  });

  it('describes fields by their rules', () => {
    const { ThingBody } = document.components?.schemas as Record<
      string,
      { required: string[]; properties: object }
    >;

    expect(ThingBody?.required).toEqual(['name', 'amount']);
    expect(ThingBody?.properties).toMatchObject({
      name: { type: 'string', minLength: 1, maxLength: 10, example: 'Shop' },
      amount: { type: 'string', maxLength: 100 },
      return_url: { type: 'string', format: 'uri' },
      type: { type: 'string', enum: ['online', 'physical'] },
      order: { $ref: '#/components/schemas/OrderBody' },
    });
    expect(operation('/v1/things', 'get')?.parameters).toEqual([
      expect.objectContaining({
        name: 'page',
        required: false,
        schema: expect.objectContaining({ type: 'integer' }),
      }),
      expect.objectContaining({ name: 'page_size', required: false }),
      expect.objectContaining({ name: 'after', required: false }),
      expect.objectContaining({ name: 'reference_id', required: false }),
      expect.objectContaining({ name: 'X-Read-After', required: false }),
    ]);
    expect(operation('/v1/things/strict', 'get')?.parameters).toEqual([
      expect.objectContaining({ name: 'page', required: false }),
      expect.objectContaining({
        name: 'page_size',
        required: true,
        schema: expect.objectContaining({ minimum: 5 }),
      }),
      expect.objectContaining({ name: 'after', required: false }),
      expect.objectContaining({ name: 'X-Read-After', required: false }),
    ]);
  });

  it('takes no other fields than a body has, and leaves room for more of an answer', () => {
    const schemas = document.components?.schemas as Record<string, { additionalProperties: boolean }>;

    for (const name of ['ThingBody', 'OrderBody', 'ItemBody'])
      expect([name, schemas[name]?.additionalProperties]).toEqual([name, false]);
    for (const name of ['Thing', 'ThingPage', 'ErrorEnvelope', 'FieldError'])
      expect([name, schemas[name]?.additionalProperties]).toEqual([name, true]);
  });

  it('says how many bits an integer needs, and leaves the values of answers open', () => {
    const { Thing, ThingSize, ErrorCode } = document.components?.schemas as Record<string, object>;

    expect(Thing).toMatchObject({
      properties: {
        size: { $ref: '#/components/schemas/ThingSize' },
        expires_at: { type: 'integer', format: 'int64' },
      },
    });
    expect(ThingSize).toEqual({
      type: 'string',
      description: 'Of the box. Known values: `small`, `large`. More may be added.',
      example: 'small',
      'x-extensible-enum': ['small', 'large'],
    });
    expect(ErrorCode).not.toHaveProperty('enum');
    expect(operation('/v1/things', 'get')?.parameters).toContainEqual(
      expect.objectContaining({ name: 'page', schema: expect.objectContaining({ format: 'int32' }) }),
    );
  });

  it('has fields of limits in every answer of a limited route, and in no other', () => {
    const headersOf = (path: string, status: number) =>
      Object.keys((response(path, 'get', status) as { headers?: object } | undefined)?.headers ?? {});
    const all = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'];

    expect([headersOf('/v1/things', 200), headersOf('/v1/things', 400)]).toEqual([all, all]);
    expect(headersOf('/v1/things', 429)).toEqual([...all, 'Retry-After']);
    expect(headersOf('/v1/things/raw', 200)).toEqual(['X-Request-Id']);
    expect(Object.keys(document.components?.headers ?? {})).toEqual([...all, 'X-Read-After']);
  });

  it('refers to nothing that is not there, and is the same each time', () => {
    const text = JSON.stringify(document);
    const again = buildOpenApiDocument(api.app, {
      title: 'Example',
      version: '1',
      serverUrls: ['https://api.example'],
    });

    for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) {
      expect(Object.keys(document.components?.schemas ?? {})).toContain(name);
    }
    expect(JSON.stringify(again)).toBe(text);
    expect(Object.keys(document.paths)).toEqual(Object.keys(document.paths).sort());
  });
});
