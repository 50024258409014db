import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseForm } from './request-body.js';
import { type ExampleApi, startExampleApi } from '../testing/example-api.js';

const FORM = 'application/x-www-form-urlencoded';

let api: ExampleApi;
beforeAll(async () => {
  api = await startExampleApi({ formPaths: ['/v1/things'] });
});
afterAll(() => api.close());

interface Answer {
  code?: string;
  data?: object;
  errors?: { field: string }[];
}

async function post(body: RequestInit['body'], type = FORM, path = '/v1/things') {
  const answer = await fetch(api.url + path, { method: 'POST', body, headers: { 'content-type': type } });
  return { status: answer.status, body: (await answer.json()) as Answer };
}

describe('A form on a path of forms', () => {
  it.each([FORM, 'Application/X-WWW-Form-Urlencoded; charset=UTF-8;'])(
    'is read as a flat record: %s',
    async (type) => {
      const { status, body } = await post('name=a+be%CC%81&amount=1.5', type);

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ name: 'a bé', amount: '1.5' });
    },
  );

  it.each<[string, RequestInit['body'], string, string]>([
    ['a name given twice', 'name=a&amount=1&n%61me=b', 'validation_failed', 'name'],
    ['brackets', 'name=a&amount=1&order[total]=1', 'unknown_field', '["order[total]"]'],
    ['a prototype key', 'name=a&amount=1&__proto__=1', 'unknown_field', '__proto__'],
    ['bad percent-encoding', 'name=%E0%A4%A&amount=1', 'validation_failed', 'name'],
    ['NUL', 'name=a%00&amount=1', 'validation_failed', 'name'],
    ['what is no UTF-8', Buffer.from([0x61, 0x3d, 0xc3, 0x28]), 'validation_failed', 'body'],
  ])('is rejected by the name of its field: %s', async (_, form, code, field) => {
    const { status, body } = await post(form);

    expect([status, body.code, body.errors?.map((error) => error.field)]).toEqual([400, code, [field]]);
  });

  it('is rejected if it is too large or of another type', async () => {
    const large = await post(`name=${'a'.repeat(65_536)}`);
    const others = [
      await post('name=a', `${FORM}; charset=latin1`),
      await post('name=a', 'multipart/form-data'),
    ];

    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
    expect(others.map(({ status }) => status)).toEqual([415, 415]);
  });
});

it('rejects a form on other paths and with other methods', async () => {
  const elsewhere = await post('name=a', FORM, '/v1/others');
  const headers = { 'content-type': FORM };
  const put = await fetch(`${api.url}/v1/things`, { method: 'PUT', body: 'a=b', headers });

  expect([elsewhere.status, put.status]).toEqual([415, 415]);
});

it('reads empty values and an escaped plus sign of a form', () => {
  expect(parseForm(Buffer.from('a=&b=%2B&c=1=2&'))).toEqual({ a: '', b: '+', c: '1=2' });
});
