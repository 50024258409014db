import { runInNewContext } from 'node:vm';
import { describe, expect, it, jest } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeSandbox, leaveOptionalParametersEmpty, swaggerUiOptions } from './reference-page.js';

const KEY = { api_key: 'svc.dev.shop', api_secret: 'its "secret"' };

async function open(answer: object) {
  const fetch = jest.fn<(path: string, request: { method: string; body: string }) => Promise<object>>();
  fetch.mockResolvedValue(answer);
  const preauthorizeApiKey = jest.fn();
  const { onComplete } = swaggerUiOptions({ ...KEY, posID: 'till' });
  const opened = runInNewContext(`(${String(onComplete)})()`, {
    fetch,
    window: { ui: { preauthorizeApiKey } },
  }) as Promise<void>;
  await opened;
  const [path, { method, body }] = fetch.mock.calls[0]!;
  return { path, method, body: JSON.parse(body) as object, authorized: preauthorizeApiKey.mock.calls };
}

const documentWith = (parameters: object[]) =>
  ({
    info: { description: 'All.' },
    paths: { '/v1/pos': { get: { parameters } } },
  }) as unknown as OpenAPIObject;

describe('The reference page', () => {
  it('authorizes itself with the API key of the sandbox when it opens', async () => {
    const answer = { ok: true, json: () => Promise.resolve({ data: { token: 'the-token' } }) };

    expect(await open(answer)).toEqual({
      ...{ path: '/v1/auth/token', method: 'POST', body: KEY },
      authorized: [
        ['bearer', 'the-token'],
        ['api-key', KEY.api_key],
      ],
    });
  });

  it('stays unauthorized if the key is refused', async () => {
    expect((await open({ ok: false })).authorized).toEqual([]);
  });

  it('sends no request without a key, as in production', () => {
    const document = documentWith([]);
    describeSandbox(document, {});

    expect(swaggerUiOptions({})).toEqual({ persistAuthorization: false, displayRequestDuration: true });
    expect(document.info.description).toBe('All.');
  });

  it('prefills required parameters and page numbers, and no other', () => {
    const key = {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      example: 'k',
      schema: { maxLength: 9 },
    };
    const filter = {
      name: 'status',
      in: 'query',
      required: false,
      schema: { type: 'string', example: 'paid' },
    };
    const page = { name: 'page', in: 'query', required: false, schema: { type: 'integer', example: 1 } };
    const path = { name: 'posID', in: 'path', required: true, example: 'till' };
    const document = documentWith([key, filter, page, path]);

    leaveOptionalParametersEmpty(document);

    expect(document.paths['/v1/pos']!.get!.parameters).toEqual([
      { name: 'Idempotency-Key', in: 'header', required: false, schema: { maxLength: 9 } },
      { name: 'status', in: 'query', required: false, schema: { type: 'string' } },
      page,
      path,
    ]);
    expect(key.example).toBe('k');
  });
});
