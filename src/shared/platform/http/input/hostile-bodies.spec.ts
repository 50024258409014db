import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExampleApi, startExampleApi } from '../testing/example-api.js';

let api: ExampleApi;
beforeAll(async () => void (api = await startExampleApi()));
afterAll(() => api.close());

interface Refusal {
  status: string;
  code: string;
  message: string;
  details?: string;
  errors?: { field: string; rule: string; message: string }[];
  request_id: string;
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
  it('is answered with 200 and the envelope', async () => {
    const { status, body } = await post(
      JSON.stringify({ ...good, order: { total: '2', items: [{ amount: '0.1' }] } }),
    );

    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'success',
      data: { ...good, order: { items: [{ amount: '0.1' }] } },
    });
  });

  it.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json;',
  ])('may be declared as %s', async (type) =>
    expect((await post(JSON.stringify(good), { 'content-type': type })).status).toBe(200),
  );

  it('may hold characters beyond the basic plane and exactly 64 KiB', async () => {
    const filled = JSON.stringify({ ...good, name: '💶'.repeat(10) });

    const { status } = await post(filled + ' '.repeat(65536 - Buffer.byteLength(filled)));

    expect(status).toBe(200);
  });
});

describe('Text of a body', () => {
  it.each([
    ['decomposed', JSON.stringify({ ...good, name: 'Cafe\u0301' })],
    ['decomposed by an escape', JSON.stringify({ ...good, name: 'Cafe' }).replace('Cafe', 'Cafe\\u0301')],
    ['after a byte order mark', `\ufeff${JSON.stringify({ ...good, name: 'Caf\u00e9' })}`],
  ])('has one form: %s', async (_, json) => {
    const { status, body } = await post(json);

    expect([status, body]).toMatchObject([200, { data: { name: 'Caf\u00e9' } }]);
  });
});

describe('A body that is no JSON object in UTF-8', () => {
  const invalidUtf8 = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  it.each<[string, RequestInit['body'], number, string, string?]>([
    ['truncated JSON', '{"name":', 400, 'malformed_json'],
    ['NaN', '{"amount":NaN}', 400, 'malformed_json'],
    ['a trailing comma', '{"name":"a",}', 400, 'malformed_json'],
    ['invalid UTF-8', invalidUtf8, 400, 'malformed_json'],
    ['a raw NUL', '{"name":"a\0"}', 400, 'malformed_json'],
    ['blanks only', '   ', 400, 'malformed_json'],
    ['an array', '[]', 400, 'validation_failed', 'body'],
    ['a string', '"x"', 400, 'validation_failed', 'body'],
    ['null', 'null', 400, 'validation_failed', 'name'],
    ['nesting of 21 levels', nested(20), 400, 'validation_failed', 'x'],
    ['nesting of 30,000 levels', nested(30000), 400, 'validation_failed', 'x'],
    ['unclosed nesting', '['.repeat(60000), 400, 'malformed_json'],
    ['64 KiB and a byte', ' '.repeat(65537), 413, 'payload_too_large'],
    ['half a megabyte', ' '.repeat(500_000), 413, 'payload_too_large'],
  ])('is refused: %s', async (_, body, status, code, ...[field]) => {
    const answer = await post(body);

    expect([answer.status, answer.body.code]).toEqual([status, code]);
    if (field !== undefined) expect(answer.body.errors?.[0]?.field).toMatch(new RegExp(`^${field}`));
  });

  it.each<Record<string, string>>([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-type': 'application/json5' },
    { 'content-type': 'application/json, text/html' },
    { 'content-type': `application/json${'; '.repeat(5000)}x` },
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'br' },
  ])('is refused with 415: %j', async (headers) => {
    const { status, body } = await post(JSON.stringify(good), headers);

    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('A treacherous name', () => {
  it.each([
    ['{"name":"a","name":"b"}', 'validation_failed', 'name'],
    ['{"name":"a","n\\u0061me":"b"}', 'validation_failed', 'name'],
    ['{"order":{"items":[{},{"amount":"1","amount":"1"}]}}', 'validation_failed', 'order.items[1].amount'],
    ['{"__proto__":{"x":1}}', 'unknown_field', '__proto__'],
    ['{"order":{"\\u005f_proto__":1}}', 'unknown_field', 'order.__proto__'],
    ['{"constructor":{"prototype":{}}}', 'unknown_field', 'constructor'],
    ['{"prototype":1}', 'unknown_field', 'prototype'],
    ['{"toString":1}', 'unknown_field', 'toString'],
    ['{"hasOwnProperty":1}', 'unknown_field', 'hasOwnProperty'],
    ['{"a\\u0000b":1}', 'validation_failed', '["a\\u0000b"]'],
    ['{"\\ud800":1}', 'validation_failed', '["\\ud800"]'],
    [withField('surprise', 1), 'unknown_field', 'surprise'],
    [withField('surprise', null), 'unknown_field', 'surprise'],
    [withField('order', { total: '1', then: 'x' }), 'unknown_field', 'order.then'],
    [
      withField('order', { total: '1', items: [{ amount: '1', 0: 'x' }] }),
      'unknown_field',
      'order.items[0].0',
    ],
    [withField('', 1), 'unknown_field', '[""]'],
    [withField('k'.repeat(5000), 1), 'unknown_field', `["${'k'.repeat(64)}…"]`],
  ])('is refused by its path: %.60s', async (json, code, field) => {
    const { status, body } = await post(json);

    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, code, field]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('A hostile value', () => {
  const amounts = [
    1, 1.5, true, null, [], ['1'], {}, '', ' ', ' 1', '1 ', '1\n', '+1', '-1', '0', '0.0', '00', '01', '.5', '5.', '1e3', '0x10',
    'NaN', 'Infinity', '1,5', '1_000', '١', '１', '१', '1.٥', '1'.repeat(101), '1\u0000', '1\u200b',
  ]; // prettier-ignore
  const texts = [
    1, null, true, {}, [], ['a'], '', '   ', '\t', 'a\u0000', 'a\nb', 'a\u007f', 'a\u0085', 'a\u2028b', 'a\u2029', '\u00a0\u3000',
    '\u200b', '\ufeff\u2060', 'a\u202eb',
    'a'.repeat(11), '💶'.repeat(11),
  ]; // prettier-ignore
  const urls = [
    1, {}, '', 'http://shop.example', 'https://', 'https:shop.example', 'https:///x', '//shop.example', 'javascript:alert(1)',
    'https://u:p@shop.example', 'https://u@shop.example', 'https://@shop.example', ' https://shop.example', 'https://shop.example/a b',
    'https://shop.example/\u0000', 'https://shop.example\\@evil.example', 'https://sh\top.example', 'https://[::1', 'https://x:99999/',
    `https://shop.example/${'a'.repeat(2048)}`, 'HTTPS//x',
  ]; // prettier-ignore
  const cases: [string, unknown][] = [
    ...amounts.map((value): [string, unknown] => ['amount', value]),
    ...texts.map((value): [string, unknown] => ['name', value]),
    ...urls.map((value): [string, unknown] => ['return_url', value]),
    ...['Online', '', ['online'], {}, 1].map((value): [string, unknown] => ['type', value]),
    ...['a', 1, [], [{ total: '1' }]].map((value): [string, unknown] => ['order', value]),
  ];
  it.each(cases)('is refused as 400 naming %s: %j', async (field, value) => {
    const { status, body } = await post(withField(field, value));

    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors?.map((error) => error.field)).toContain(field);
    expect(body.message).toContain(`${field}: `);
  });

  it.each<[string, unknown]>([
    ['order.items', {}],
    ['order.items', 'x'],
    ['order.items', []],
    ['order.items', Array(4).fill({ amount: '1' })],
    ['order.items', [1]],
    ['order.items', [null]],
    ['order.items', ['x']],
    ['order.items', [[{ amount: '1' }]]],
    ['order.items[0].amount', [{}]],
    ['order.items[1].amount', [{ amount: '1' }, { amount: 1 }]],
    ['order.items[0].amount', [{ amount: null }]],
  ])('is refused inside an order, naming %s: %j', async (field, items) => {
    const { status, body } = await post(withField('order', { total: '1', items }));

    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors?.map((error) => error.field)).toContain(field);
  });

  it.each(['\\ud800', '\\udc00x', 'a\\u0000'])('is refused when escaped: %s', async (escaped) => {
    const { status, body } = await post(`{"name":"${escaped}","amount":"1"}`);

    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'validation_failed', 'name']);
  });

  it('never comes alone: every refused field is listed, what is missing as required', async () => {
    const { body } = await post('{"order":{},"surprise":1,"type":"x"}');

    expect(body.code).toBe('validation_failed');
    expect(Object.fromEntries(body.errors?.map(({ field, rule }) => [field, rule]) ?? [])).toEqual({
      surprise: 'unknown_field',
      name: 'required',
      amount: 'required',
      type: 'in',
      'order.total': 'required',
    });
  });

  it('is answered with the sentences of all in one', async () => {
    const { body } = await post('{"name":1,"amount":"1","type":"x"}');

    expect(body.details).toBe(
      'name: must be one line of 1 to 10 characters, without control characters and not only spaces. ' +
        'type: must be one of: online, physical.',
    );
  });

  it.each([
    [{ amount: '10,50' }, 'amount: must use a point, not a comma: "10.50".'],
    [
      { amount: '1,000' },
      'amount: must be a decimal string above zero, such as "10.50" (a point, not a comma).',
    ],
    [
      { amount: 10.5 },
      'amount: must be a decimal string above zero, such as "10.50" (a point, not a comma).',
    ],
    [
      { returnUrl: 'https://shop.example/' },
      'returnUrl: is not a field of this request. Did you mean return_url?',
    ],
    [{ name: undefined }, 'name: is required.'],
  ])('is answered with advice: %j', async (fields, message) => {
    expect((await post(JSON.stringify({ ...good, ...fields }))).body.message).toBe(message);
  });

  it('is answered with at most 100 errors', async () => {
    const { body } = await post(
      JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]))),
    );

    expect(body.errors).toHaveLength(100);
  });
});

describe('An optional field that is null', () => {
  it('is left out, at every depth', async () => {
    const order = { total: '2', items: [{ amount: '1', description: null }] };

    const { status, body } = await post(JSON.stringify({ ...good, return_url: null, type: null, order }));
    const without = await post(withField('order', null));

    expect([status, without.status]).toEqual([200, 200]);
    expect((body as unknown as { data: object }).data).toEqual({
      ...good,
      order: { total: '2', items: [{ amount: '1' }] },
      request_id: expect.any(String),
    });
    expect((without.body as unknown as { data: object }).data).not.toHaveProperty('order');
  });
});

describe('A body that nobody may send', () => {
  it.each([
    ['{"name":', {}],
    ['x'.repeat(100_000), {}],
    ['a=b', { 'content-type': 'text/plain' }],
  ])('is not looked at: an unknown route is answered first: %.20s', async (body, headers) => {
    const answer = await fetch(`${api.url}/v1/nowhere`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });

    expect([answer.status, ((await answer.json()) as Refusal).code]).toEqual([404, 'not_found']);
  });
});

describe('A body where none is taken, or none where one is', () => {
  it('is refused as unknown fields', async () => {
    const answer = await fetch(`${api.url}/v1/things/empty`, {
      method: 'POST',
      body: '{"force":true}',
      headers: { 'content-type': 'application/json' },
    });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'unknown_field', errors: [{ field: 'force' }] });
  });

  it('may be missing or empty', async () => {
    for (const body of [undefined, '{}', 'null']) {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${api.url}/v1/things/empty`, { method: 'POST', body, headers });

      expect([answer.status, await answer.json()]).toEqual([200, { status: 'success', data: null }]);
    }
  });

  it('is answered which fields it lacks', async () => {
    const { body } = await post(undefined);

    expect(body.errors?.map(({ field, rule }) => [field, rule])).toEqual([
      ['name', 'required'],
      ['amount', 'required'],
    ]);
  });
});
