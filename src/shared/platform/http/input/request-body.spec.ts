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
  it.each([FORM, `${FORM}; charset=UTF-8`, 'Application/X-WWW-Form-Urlencoded;'])(
    'is read as a flat record: %s',
    async (type) => {
      const { status, body } = await post('name=a+b%C3%A9&amount=1.5', type);

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ name: 'a bé', amount: '1.5' });
    },
  );

  it('has one form for a letter with an accent, as JSON has', async () => {
    expect((await post('name=a+be%CC%81&amount=1.5')).body.data).toMatchObject({ name: 'a bé' });
  });

  it('leaves JSON what it was', async () => {
    const { body } = await post('{"name":"a","amount":"1"}', 'application/json');

    expect(body.data).toMatchObject({ name: 'a' });
  });

  it.each<[string, RequestInit['body'], string, string]>([
    ['a name given twice', 'name=a&amount=1&n%61me=b', 'validation_failed', 'name'],
    ['brackets', 'name=a&amount=1&order[total]=1', 'unknown_field', '["order[total]"]'],
    ['a prototype key', 'name=a&amount=1&__proto__=1', 'unknown_field', '__proto__'],
    ['bad percent-encoding', 'name=%E0%A4%A&amount=1', 'validation_failed', 'name'],
    ['a lone surrogate', 'name=%ED%A0%80&amount=1', 'validation_failed', 'name'],
    ['NUL', 'name=a%00&amount=1', 'validation_failed', 'name'],
    ['what is no UTF-8', Buffer.from([0x61, 0x3d, 0xc3, 0x28]), 'validation_failed', 'body'],
    ['an unknown field', 'name=a&amount=1&surprise=1', 'unknown_field', 'surprise'],
  ])('is refused by name: %s', async (_, form, code, field) => {
    const { status, body } = await post(form);

    expect([status, body.code, body.errors?.map((error) => error.field)]).toEqual([400, code, [field]]);
  });

  it('is refused when it is too large or of another kind', async () => {
    const large = await post(`name=${'a'.repeat(65_536)}`);
    const others = [
      await post('name=a', `${FORM}; charset=latin1`),
      await post('name=a', 'multipart/form-data'),
    ];

    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
    expect(others.map(({ status }) => status)).toEqual([415, 415]);
  });

  it('is given up when it does not arrive', async () => {
    const head = `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: 100\r\n\r\nname`;

    const strict = await startExampleApi({ formPaths: ['/v1/things'], timeouts: { request: 700 } });

    expect(await strict.raw(head, /^HTTP/)).toMatch(/^HTTP\/1\.1 408 /);
    await strict.close();
  });
});

describe('A form elsewhere', () => {
  it('is refused, as is one of another method', async () => {
    const elsewhere = await post('name=a', FORM, '/v1/others');
    const put = await fetch(`${api.url}/v1/things`, {
      method: 'PUT',
      body: 'a=b',
      headers: { 'content-type': FORM },
    });

    expect([elsewhere.status, put.status]).toEqual([415, 415]);
  });
});

describe('Reading a form', () => {
  it('takes empty values and a plus sign that is meant', () => {
    expect(parseForm(Buffer.from('a=&b=%2B&c=1=2&'))).toEqual({ a: '', b: '+', c: '1=2' });
  });
});
