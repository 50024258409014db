import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseForm } from './request-body.js';
import { type ExampleApi, startExampleApi } from '../testing/example-api.js';

let api: ExampleApi;
beforeAll(async () => void (api = await startExampleApi({ formPaths: ['/v1/things'] })));
afterAll(() => api.close());

interface Refusal {
  data?: object;
  code: string;
  message: string;
  errors?: { field: string; rule: string }[];
}

async function post(body: RequestInit['body'], headers: Record<string, string> = {}) {
  const answer = await fetch(`${api.url}/v1/things`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: answer.status, body: (await answer.json()) as Refusal };
}

const good = { name: 'Shop', amount: '1.5' };
const withField = (name: string, value: unknown) => JSON.stringify({ ...good, [name]: value });
const nested = (depth: number) => `{"name":"a","amount":"1","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;

describe('A good body', () => {
  it.each(['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'application/json;'])(
    'accepts the content type %s',
    async (type) => expect((await post(JSON.stringify(good), { 'content-type': type })).status).toBe(200),
  );

  it('accepts characters beyond the basic plane and exactly 64 KiB', async () => {
    const filled = JSON.stringify({ ...good, name: '💶'.repeat(10) });

    const { status } = await post(filled + ' '.repeat(65536 - Buffer.byteLength(filled)));

    expect(status).toBe(200);
  });
});

describe('Text in a body', () => {
  it.each([
    ['a decomposed character', JSON.stringify({ ...good, name: 'Cafe\u0301' })],
    ['an escaped character', JSON.stringify({ ...good, name: 'Cafe' }).replace('Cafe', 'Cafe\\u0301')],
    ['a byte order mark', `\ufeff${JSON.stringify({ ...good, name: 'Caf\u00e9' })}`],
  ])('is normalized: %s', async (_, json) => {
    const { status, body } = await post(json);

    expect([status, body]).toMatchObject([200, { data: { name: 'Caf\u00e9' } }]);
  });
});

describe('A body that is no JSON object in UTF-8', () => {
  const invalidUtf8 = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  it.each<[string, RequestInit['body'], number, string, string?]>([
    ['truncated JSON', '{"name":', 400, 'malformed_json'],
    ['invalid UTF-8', invalidUtf8, 400, 'malformed_json'],
    ['an array', '[]', 400, 'validation_failed', 'body'],
    ['null', 'null', 400, 'validation_failed', 'name'],
    ['nesting of 30,000 levels', nested(30000), 400, 'validation_failed', 'x'],
    ['unclosed nesting', '['.repeat(60000), 400, 'malformed_json'],
    ['64 KiB and a byte', ' '.repeat(65537), 413, 'payload_too_large'],
  ])('is rejected: %s', async (_, body, status, code, ...[field]) => {
    const answer = await post(body);

    expect([answer.status, answer.body.code]).toEqual([status, code]);
    if (field !== undefined) expect(answer.body.errors?.[0]?.field).toMatch(new RegExp(`^${field}`));
  });

  it.each<Record<string, string>>([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json5' },
    { 'content-type': `application/json${'; '.repeat(5000)}x` },
    { 'content-encoding': 'gzip' },
  ])('is rejected with 415 by its headers: %j', async (headers) => {
    const { status, body } = await post(JSON.stringify(good), headers);

    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('A dangerous or repeated field name', () => {
  it.each([
    ['{"name":"a","n\\u0061me":"b"}', 'validation_failed', 'name'],
    ['{"order":{"items":[{},{"amount":"1","amount":"1"}]}}', 'validation_failed', 'order.items[1].amount'],
    ['{"__proto__":{"x":1}}', 'unknown_field', '__proto__'],
    ['{"order":{"\\u005f_proto__":1}}', 'unknown_field', 'order.__proto__'],
    ['{"constructor":{"prototype":{}}}', 'unknown_field', 'constructor'],
    ['{"a\\u0000b":1}', 'validation_failed', '["a\\u0000b"]'],
    ['{"\\ud800":1}', 'validation_failed', '["\\ud800"]'],
    [withField('surprise', null), 'unknown_field', 'surprise'],

    [withField('k'.repeat(5000), 1), 'unknown_field', `["${'k'.repeat(64)}…"]`],
  ])('is rejected with an error that gives its path: %.60s', async (json, code, field) => {
    const { status, body } = await post(json);

    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, code, field]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('A hostile value', () => {
  // prettier-ignore
  const hostile: [string, unknown[]][] = [
    ['amount', [1, true, null, [], {}, '', ' 1', '1\n', '-1', '0', '0.0', '01', '.5', '1e3', 'NaN', '1,5', '١', '1'.repeat(101)]],
    ['name', [1, null, {}, ['a'], '', '   ', 'a\u0000', 'a\nb', 'a\u2028b', '\u200b', 'a\u202eb', 'a'.repeat(11), '💶'.repeat(11)]],
    ['return_url', [1, '', 'http://shop.example', 'https://', 'https:shop.example', '//shop.example', 'javascript:alert(1)']],
    ['return_url', ['https://u@shop.example', ' https://shop.example', 'https://shop.example/\u0000', 'https://sh\top.example']],
    ['return_url', ['https://shop.example\\@evil.example', 'https://[::1', 'https://x:99999/', `https://a.example/${'a'.repeat(2048)}`]],
    ['type', ['Online', '', ['online']]],
    ['order', ['a', [], [{ total: '1' }]]],
  ];
  it.each(hostile)('is rejected with 400 and the name of the field: %s, %j', async (field, values) => {
    for (const value of values) {
      const { status, body } = await post(withField(field, value));

      expect([value, status, body.code]).toEqual([value, 400, 'validation_failed']);
      expect(body.errors?.map((error) => error.field)).toContain(field);
    }
  });

  it.each<[string, unknown]>([
    ['order.items', {}],
    ['order.items', []],
    ['order.items', Array(4).fill({ amount: '1' })],
    ['order.items', [1]],
    ['order.items', [[{ amount: '1' }]]],
    ['order.items[1].amount', [{ amount: '1' }, { amount: 1 }]],
  ])('is rejected inside an order, with the path of the field: %s, %j', async (field, items) => {
    const { status, body } = await post(withField('order', { total: '1', items }));

    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors?.map((error) => error.field)).toContain(field);
  });

  it.each(['\\ud800', '\\udc00x', 'a\\u0000'])('is rejected when escaped: %s', async (escaped) => {
    const { status, body } = await post(`{"name":"${escaped}","amount":"1"}`);

    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'validation_failed', 'name']);
  });

  it('is listed with all other invalid fields and the missing ones', async () => {
    const { body } = await post('{"order":{},"surprise":1,"type":"x"}');

    expect(body.code).toBe('validation_failed');
    expect(Object.fromEntries(body.errors?.map(({ field, rule }) => [field, rule]) ?? [])).toEqual({
      ...{
        surprise: 'unknown_field',
        name: 'required',
        amount: 'required',
        type: 'in',
        'order.total': 'required',
      },
    });
  });

  it.each([
    [{ amount: '10,50' }, 'amount: must use a point, not a comma: "10.50".'],
    [
      { amount: '1,000' },
      'amount: must be a decimal string above zero, such as "10.50" (a point, not a comma).',
    ],
    [
      { returnUrl: 'https://shop.example/' },
      'returnUrl: is not a field of this request. Did you mean return_url?',
    ],
  ])('is answered with advice: %j', async (fields, message) => {
    expect((await post(JSON.stringify({ ...good, ...fields }))).body.message).toBe(message);
  });

  it('is reported with at most 100 errors', async () => {
    const fields = Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]);

    expect((await post(JSON.stringify(Object.fromEntries(fields)))).body.errors).toHaveLength(100);
  });
});

describe('An optional field that is null', () => {
  it('is omitted at every depth', async () => {
    const order = { total: '2', items: [{ amount: '1', description: null }] };

    const { status, body } = await post(JSON.stringify({ ...good, return_url: null, type: null, order }));

    const data = { ...good, order: { total: '2', items: [{ amount: '1' }] }, request_id: expect.any(String) };
    expect([status, body]).toEqual([200, { status: 'success', data }]);
  });
});

describe('A body of a route that takes none', () => {
  const postEmpty = async (body?: string, path = '/v1/things/empty') => {
    const answer = await fetch(api.url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    return [answer.status, ((await answer.json()) as Refusal).code];
  };

  it('is rejected for its unknown fields, and accepted if it is empty', async () => {
    expect(await postEmpty('{"force":true}')).toEqual([400, 'unknown_field']);
    for (const body of [undefined, '{}', 'null']) expect(await postEmpty(body)).toEqual([200, undefined]);
  });

  it('is not read if the route is unknown', async () => {
    for (const body of ['{"name":', 'x'.repeat(100_000)])
      expect(await postEmpty(body, '/v1/nowhere')).toEqual([404, 'not_found']);
  });
});

describe('A missing body', () => {
  it('is rejected with the names of the required fields', async () => {
    const { body } = await post(undefined);

    expect(body.errors?.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      'name required',
      'amount required',
    ]);
  });
});

const FORM = 'application/x-www-form-urlencoded';
const postForm = (body: RequestInit['body'], type = FORM) => post(body, { 'content-type': type });

describe('A form', () => {
  it.each([FORM, 'Application/X-WWW-Form-Urlencoded; charset=UTF-8;'])(
    'is read as a flat record: %s',
    async (type) => {
      const { status, body } = await postForm('name=a+be%CC%81&amount=1.5', type);

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
    ['invalid UTF-8', Buffer.from([0x61, 0x3d, 0xc3, 0x28]), 'validation_failed', 'body'],
  ])('is rejected with the name of the invalid field: %s', async (_, form, code, field) => {
    const { status, body } = await postForm(form);

    expect([status, body.code, body.errors?.map((error) => error.field)]).toEqual([400, code, [field]]);
  });

  it('is rejected if it is too large, of another type, on another path or with another method', async () => {
    const [headers, body] = [{ 'content-type': FORM }, 'name=a'];
    const elsewhere = await fetch(`${api.url}/v1/others`, { method: 'POST', body, headers });
    const put = await fetch(`${api.url}/v1/things`, { method: 'PUT', body, headers });

    expect((await postForm(`name=${'a'.repeat(65_536)}`)).status).toBe(413);
    for (const type of [`${FORM}; charset=latin1`, 'multipart/form-data'])
      expect((await postForm(body, type)).status).toBe(415);
    expect([elsewhere.status, put.status]).toEqual([415, 415]);
  });

  it('contains empty values and an escaped plus sign', () => {
    expect(parseForm(Buffer.from('a=&b=%2B&c=1=2&'))).toEqual({ a: '', b: '+', c: '1=2' });
  });
});
