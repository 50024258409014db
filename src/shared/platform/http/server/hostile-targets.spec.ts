import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ExampleApi, startExampleApi } from '../testing/example-api.js';

let api: ExampleApi;
beforeAll(async () => void (api = await startExampleApi()));
afterAll(() => api.close());

interface Answer {
  code?: string;
  data?: unknown;
  errors?: { field: string }[];
}

async function get(path: string) {
  const answer = await fetch(api.url + path);
  return { status: answer.status, body: (await answer.json()) as Answer };
}

describe('A list query', () => {
  it('takes standards for what is left out', async () => {
    expect(await get('/v1/things')).toEqual({
      status: 200,
      body: { status: 'success', data: { data: [], total: 7, page: 1, page_size: 50, total_pages: 1 } },
    });
  });

  it('answers a page beyond the end as empty with the exact total', async () => {
    const { body } = await get('/v1/things?page=2147483647&page_size=2');

    expect(body.data).toEqual({ data: [], total: 7, page: 2147483647, page_size: 2, total_pages: 4 });
  });

  const notIntegers = [
    '', '0', '-1', '1.0', '1.5', '1e1', '0x1', '01', '%201', '1%20', '+1', '١', '１', 'NaN', 'Infinity', '1,2', 'null', 'true',
    '1%0a', '99999999999999999999999', '2147483648',
  ]; // prettier-ignore
  it.each(
    notIntegers.flatMap((value) => [`page=${value}`, `page_size=${value}`]).concat('page_size=101', 'page'),
  )('is refused naming the key: ?%s', async (query) => {
    const { status, body } = await get(`/v1/things?${query}`);

    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([expect.objectContaining({ field: query.split('=')[0] })]);
  });

  it.each([
    ['page=1&page=2', 'validation_failed', 'page'],
    ['page=1&p%61ge=1', 'validation_failed', 'page'],
    ['page[]=1', 'unknown_field', '["page[]"]'],
    ['page%5B0%5D=1', 'unknown_field', '["page[0]"]'],
    ['a[b]=c', 'unknown_field', '["a[b]"]'],
    ['__proto__=1', 'unknown_field', '__proto__'],
    ['constructor=1', 'unknown_field', 'constructor'],
    ['toString=1', 'unknown_field', 'toString'],
    ['=1', 'unknown_field', '[""]'],
    ['limit=10', 'unknown_field', 'limit'],
    ['Page=1', 'unknown_field', 'Page'],
    ['page.x=1', 'unknown_field', '["page.x"]'],
    ['reference_id=%00', 'validation_failed', 'reference_id'],
    ['reference_id=%ED%A0%80', 'validation_failed', 'reference_id'],
    ['reference_id=%E0%A4%A', 'validation_failed', 'reference_id'],
    ['reference_id=%', 'validation_failed', 'reference_id'],
    ['reference_id=%0a', 'validation_failed', 'reference_id'],
    ['%E0%A4%A=1', 'validation_failed', '["%E0%A4%A"]'],
    ['a%00=1', 'validation_failed', '["a\\u0000"]'],
    ['page=1?page=2', 'validation_failed', 'page'],
  ])('is refused: ?%s', async (query, code, field) => {
    const { status, body } = await get(`/v1/things?${query}`);

    expect([status, body.code, body.errors?.map((error) => error.field)]).toEqual([400, code, [field]]);
  });

  it('may be required, from a least page size on', async () => {
    const missing = await get('/v1/things/strict');
    const small = await get('/v1/things/strict?page=1&page_size=4');
    const right = await get('/v1/things/strict?page=1&page_size=5');

    expect(missing.body.errors).toEqual([
      { field: 'page', rule: 'required', message: expect.any(String) },
      { field: 'page_size', rule: 'required', message: expect.any(String) },
    ]);
    expect(small.body.errors?.map(({ field }) => field)).toEqual(['page_size']);
    expect(right.body.data).toEqual({ page: 1, pageSize: 5 });
  });

  it('may name a cursor in place of a page, and not both', async () => {
    const refused = [{ field: 'after', rule: 'without_page', message: expect.any(String) }];

    expect((await get('/v1/things/strict?page_size=5&after=abc')).body.data).toEqual({
      ...{ page: 1, pageSize: 5, after: 'abc' },
    });
    for (const page of ['1', '2', 'x']) {
      const { status, body } = await get(`/v1/things/strict?page_size=5&after=abc&page=${page}`);
      expect([status, body.errors]).toEqual([400, refused]);
    }
    expect((await get('/v1/things?after=abc&page=1')).body.errors).toEqual(refused);
  });

  it('is refused where an operation takes none', async () => {
    const { status, body } = await get('/v1/things/request-id?verbose=1');

    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'unknown_field', 'verbose']);
  });
});

describe('An id in a path', () => {
  const id = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

  it('is answered in lower case', async () => {
    expect((await get(`/v1/things/${id.toUpperCase()}`)).body.data).toEqual({ id });
  });

  it.each([
    'nonsense',
    '1',
    `${id}%00`,
    '%00',
    'NaN',
    `${id}x`,
    `{${id}}`,
    id.replaceAll('-', ''),
    '%F0%9F%92%B6',
    "1'--",
    'a'.repeat(9000),
  ])('answers like a missing one when malformed: %.40s', async (malformed) => {
    const missing = await fetch(`${api.url}/v1/things/${id.slice(0, -1)}0`, {
      headers: { 'x-request-id': 'same' },
    });
    const answer = await fetch(`${api.url}/v1/things/${malformed}`, { headers: { 'x-request-id': 'same' } });

    expect(answer.status).toBe(404);
    // A NUL is refused before the route is known.
    if (malformed.includes('%00')) expect(await answer.json()).toMatchObject({ code: 'not_found' });
    else expect(await answer.text()).toBe(await missing.text());
  });

  it.each(['/v1/things/%E0%A4%A', '/%', '/v1/failures/%ff'])(
    'is refused when it cannot be decoded: %s',
    async (path) => {
      const { status, body } = await get(path);

      expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, 'validation_failed', 'path']);
    },
  );
});

describe('A request target of another form', () => {
  it.each([
    ['GET http://elsewhere.example/v1/things?page=1 HTTP/1.1', 200],
    ['GET http://[::1/v1/things HTTP/1.1', 200],
    ['GET http://elsewhere.example HTTP/1.1', 404],
    ['GET //v1/things HTTP/1.1', 404],
    ['GET /v1//things HTTP/1.1', 404],
    ['GET http://elsewhere.example//v1/things HTTP/1.1', 404],
    ['GET /V1/things HTTP/1.1', 404],
    ['GET /v1/Things HTTP/1.1', 404],
    ['GET //u@[x#/v1/things HTTP/1.1', 404],
    ['GET //elsewhere.example/v1/things HTTP/1.1', 404],
    ['GET /v1/things#fragment HTTP/1.1', 200],
    ['OPTIONS * HTTP/1.1', 404],
    ['TRACE /v1/things HTTP/1.1', 405],
    ['PROPFIND /v1/things HTTP/1.1', 405],
    ['GET /\xa0 HTTP/1.1', 400],
  ])('is answered in our shape: %s', async (line, status) => {
    const answer = await api.raw(Buffer.from(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1'));

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/x-request-id/i);
    expect(answer).toContain('application/json');
  });
});

describe('What is no request at all', () => {
  it.each([
    ['GET /v1/things HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400, 'validation_failed'],
    ['GET /v1/things HTTP/1.1\r\nHost: x\r\nx-a: b\0c\r\n\r\n', 400, 'validation_failed'],
    ['GET /v1/things HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400, 'validation_failed'],
    [`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'headers_too_large'],
    [`GET / HTTP/1.1\r\nHost: x\r\nx-a: ${'a'.repeat(100_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('is refused in our shape: %.60j', async (request, status, code) => {
    const answer = await api.raw(request);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const refusal = JSON.parse(body) as Record<string, unknown>;

    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(refusal).toEqual({
      status: 'error',
      code,
      message: expect.any(String),
      request_id: /x-request-id: (\S+)/i.exec(head)?.[1],
    });
  });
});

describe('What follows a good request on its connection and is none', () => {
  it('is never answered in the place of the good one', async () => {
    const body = JSON.stringify({ name: 'thing', amount: '1' });
    const good = `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

    const answer = await api.raw(`${good}no request\0\r\n\r\n`).catch(() => '');

    expect(answer).not.toMatch(/^HTTP\/1\.1 4/);
  });
});

describe('A slow caller', () => {
  it('is cut off when its headers do not arrive in time', async () => {
    const strict = await startExampleApi({ timeouts: { headers: 300, request: 3_600_000 } });

    const begun = performance.now();
    const answer = await strict.raw('GET /v1/things HTTP/1.1\r\nHost:', 'closed');

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    // Node's own look at overdue connections would come after thirty seconds.
    expect(performance.now() - begun).toBeLessThan(25_000);
    await strict.close();
  });
});
