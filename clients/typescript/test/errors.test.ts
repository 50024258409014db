import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isFinalStatus, isPaid, PaymentCollectionClient, PaymentCollectionError } from '../src/index.js';
import { NEXT_STEPS, nextStepOf } from '../src/next-steps.js';
import { fail, ScriptedApi } from './support/scripted-api.js';

const inRepository = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');

let api: ScriptedApi;
beforeAll(async () => {
  api = await ScriptedApi.start();
});
afterAll(() => api.stop());

describe('An error', () => {
  it('has status, code, refused fields, request id and the next step', async () => {
    const errors = [{ field: 'amount', rule: 'minimum_amount', message: 'must be at least 0.01 USDC' }];
    api.answers(fail(400, 'validation_failed', { errors }));

    const error = await api
      .client()
      .get('/v1/account')
      .catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(PaymentCollectionError);
    expect(error).toMatchObject({
      ...{ status: 400, code: 'validation_failed', message: 'This is validation_failed.', fields: errors },
      ...{ requestId: 'request-1', retryAfter: undefined },
      nextStep: 'Correct the fields that `fields` lists. The same request would be refused again.',
    });
  });

  it('names the request where the service is at fault, since its operator finds it by that', async () => {
    api.answers(fail(500, 'internal_error'));

    await expect(api.client({ retries: { attempts: 1 } }).get('/v1/account')).rejects.toMatchObject({
      ...{ status: 500, message: 'This is internal_error. (Request id request-1.)', requestId: 'request-1' },
    });
  });

  it.each([
    ['of a proxy', 400, 'text/html', '<html>Bad Request</html>'],
    ['that is no JSON', 200, 'application/json', '<html>Welcome</html>'],
    ['that is nothing', 200, 'application/json', ''],
  ])('is made of an answer %s', async (_, status, type, said) => {
    api.answers((response) => {
      response.writeHead(status, { 'content-type': type, 'x-request-id': 'of the header' }).end(said);
    });

    await expect(api.client().get('/v1/account')).rejects.toMatchObject({
      ...{ status, code: 'unexpected_answer', requestId: 'of the header', fields: [] },
      nextStep: 'Check the base URL, and what stands between you and the service.',
    });
  });

  it('has a next step for each code of the reference, and for no other', () => {
    const { components } = JSON.parse(inRepository('openapi/openapi.json')) as {
      components: { schemas: { ErrorCode: { 'x-extensible-enum': string[] } } };
    };

    expect(Object.keys(NEXT_STEPS).sort()).toEqual(components.schemas.ErrorCode['x-extensible-enum']);
  });

  it('has one by its status where the code was added later', () => {
    expect([nextStepOf('added_later', 429), nextStepOf('toString', 400)]).toEqual([
      'Wait `retryAfter` seconds.',
      'Correct the request: the message says what is wrong with it.',
    ]);
  });

  it('is no secret’s: neither message nor fields have key or secret', async () => {
    api.answers(fail(503, 'unavailable'));
    const client = api.client({ retries: { attempts: 1 } });
    const error = await client.get('/v1/account').catch((thrown: unknown) => thrown as Error);
    await api.stop();
    const unreached = await client.get('/v1/account').catch((thrown: unknown) => thrown as Error);
    api = await ScriptedApi.start();

    for (const each of [error, unreached]) {
      expect(JSON.stringify(each) + String(each)).not.toMatch(/the secret|token 1/);
    }
  });
});

describe('Settings', () => {
  it('that are missing are named', () => {
    const read = () =>
      PaymentCollectionClient.fromEnvironment({
        PAYMENT_COLLECTION_URL: 'http://localhost:3000',
        PAYMENT_COLLECTION_API_KEY: 'svc.dev.1',
      });

    expect(read).toThrow('apiSecret (PAYMENT_COLLECTION_API_SECRET) is missing.');
  });

  it('name an absolute URL', () => {
    const make = () =>
      new PaymentCollectionClient({ baseUrl: 'payments.example', apiKey: 'k', apiSecret: 's' });

    expect(make).toThrow('baseUrl must be an absolute http or https URL, not payments.example.');
  });
});

describe('Statuses', () => {
  it('are final and paid as docs/api/payments.md says', () => {
    const [, table = ''] = inRepository('docs/api/payments.md').split('\n## States\n');
    const rows = [...table.split('\n## ')[0]!.matchAll(/^\| `([a-z]+)` +\|.*?\| (yes|ended) +\|/gm)];
    const ended = rows.filter(([, , poll]) => poll === 'ended').map(([, status]) => status!);

    expect(rows).toHaveLength(8);
    expect(rows.map(([, status]) => status!).filter(isFinalStatus)).toEqual(ended);
    expect(ended.filter(isPaid)).toEqual(['completed', 'overpaid']);
  });
});
