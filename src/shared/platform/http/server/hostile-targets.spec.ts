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
  it('is answered with an empty page and the exact total beyond the end', async () => {
    const { body } = await get('/v1/things?page=2147483647&page_size=2');

    expect(body.data).toEqual({ data: [], total: 7, page: 2147483647, page_size: 2, total_pages: 4 });
  });

  // prettier-ignore
  const notIntegers = ['', '0', '-1', '1.0', '1e1', '01', '%201', '١', 'NaN', '1%0a', '99999999999999999999999', '2147483648'];
  it.each(notIntegers.map((value) => `page=${value}`).concat('page_size=0', 'page_size=101', 'page'))(
    'is rejected with the name of the parameter: ?%s',
    async (query) => {
      const { status, body } = await get(`/v1/things?${query}`);

      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.errors).toEqual([expect.objectContaining({ field: query.split('=')[0] })]);
    },
  );

  it.each([
    ['page=1&page=2', 'validation_failed', 'page'],
    ['page=1&p%61ge=1', 'validation_failed', 'page'],
    ['page[]=1', 'unknown_field', '["page[]"]'],
    ['__proto__=1', 'unknown_field', '__proto__'],
    ['reference_id=%00', 'validation_failed', 'reference_id'],
    ['reference_id=%ED%A0%80', 'validation_failed', 'reference_id'],
    ['reference_id=%E0%A4%A', 'validation_failed', 'reference_id'],
    ['%E0%A4%A=1', 'validation_failed', '["%E0%A4%A"]'],
    ['page=1?page=2', 'validation_failed', 'page'],
  ])('is rejected if a parameter is repeated, unknown or malformed: ?%s', async (query, code, field) => {
    const { status, body } = await get(`/v1/things?${query}`);

    expect([status, body.code, body.errors?.map((error) => error.field)]).toEqual([400, code, [field]]);
  });

  it('rejects a missing page and a page size below the minimum if the class requires them', async () => {
    const refused = async (query: string) =>
      (await get(`/v1/things/strict${query}`)).body.errors?.map(({ field }) => field);

    expect(await refused('')).toEqual(['page', 'page_size']);
    expect(await refused('?page=1&page_size=4')).toEqual(['page_size']);
    expect((await get('/v1/things/strict?page=1&page_size=5')).body.data).toEqual({ page: 1, pageSize: 5 });
  });

  it('rejects a cursor together with a page', async () => {
    const refused = [{ field: 'after', rule: 'without_page', message: expect.any(String) }];

    expect((await get('/v1/things/strict?page_size=5&after=abc')).body.data).toEqual({
      ...{ page: 1, pageSize: 5, after: 'abc' },
    });
    expect((await get('/v1/things/strict?page_size=5&after=abc&page=2')).body.errors).toEqual(refused);
    expect((await get('/v1/things?after=abc&page=1')).body.errors).toEqual(refused);
  });
});

describe('An id in a path', () => {
  const id = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

  it('is answered in lower case', async () => {
    expect((await get(`/v1/things/${id.toUpperCase()}`)).body.data).toEqual({ id });
  });

  const malformedIds = [
    '1',
    `${id}%00`,
    '%00',
    `${id}x`,
    `{${id}}`,
    id.replaceAll('-', ''),
    '%F0%9F%92%B6',
    'a'.repeat(9000),
  ];
  it.each(malformedIds)('is answered like an unknown id when it is malformed: %.40s', async (malformed) => {
    const missing = await fetch(`${api.url}/v1/things/${id.slice(0, -1)}0`, {
      headers: { 'x-request-id': 'same' },
    });
    const answer = await fetch(`${api.url}/v1/things/${malformed}`, { headers: { 'x-request-id': 'same' } });

    expect(answer.status).toBe(404);
    // Targets with a NUL character are rejected before the route is known.
    if (malformed.includes('%00')) expect(await answer.json()).toMatchObject({ code: 'not_found' });
    else expect(await answer.text()).toBe(await missing.text());
  });

  it.each(['/v1/things/%E0%A4%A', '/%', '/v1/failures/%ff'])(
    'is rejected when it cannot be decoded: %s',
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
    ['GET //v1/things HTTP/1.1', 404],
    ['GET /v1//things HTTP/1.1', 404],
    ['GET /V1/things HTTP/1.1', 404],
    ['GET //u@[x#/v1/things HTTP/1.1', 404],
    ['GET /v1/things#fragment HTTP/1.1', 200],
    ['OPTIONS * HTTP/1.1', 404],
    ['TRACE /v1/things HTTP/1.1', 405],
    ['GET /\xa0 HTTP/1.1', 400],
  ])('is answered in the format of the API: %s', async (line, status) => {
    const answer = await api.raw(Buffer.from(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1'));

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/x-request-id/i);
    expect(answer).toContain('application/json');
  });
});

describe('An invalid request', () => {
  it.each([
    ['GET /v1/things HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400, 'validation_failed'],
    ['GET /v1/things HTTP/1.1\r\nHost: x\r\nx-a: b\0c\r\n\r\n', 400, 'validation_failed'],
    [`GET / HTTP/1.1\r\nHost: x\r\nx-a: ${'a'.repeat(100_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ])('is rejected in the format of the API: %.60j', async (request, status, code) => {
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

describe('A client that sends invalid or late bytes', () => {
  it('receives no error in place of the answer to the good request before them', async () => {
    const body = JSON.stringify({ name: 'thing', amount: '1' });
    const good = `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

    const answer = await api.raw(`${good}no request\0\r\n\r\n`).catch(() => '');

    expect(answer).not.toMatch(/^HTTP\/1\.1 4/);
  });

  it('is disconnected if its headers do not arrive in time', async () => {
    const strict = await startExampleApi({ timeouts: { headers: 300, request: 3_600_000 } });

    const begun = performance.now();
    expect(await strict.raw('GET /v1/things HTTP/1.1\r\nHost:', 'closed')).toMatch(/^HTTP\/1\.1 408 /);
    // By default, Node checks for overdue connections only every thirty seconds.
    expect(performance.now() - begun).toBeLessThan(25_000);
    await strict.close();
  });
});

describe('A body that does not arrive', () => {
  const head = 'POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

  it('is answered with 408 after the time limit', async () => {
    const strict = await startExampleApi({ timeouts: { request: 700 } });

    expect(await strict.raw(`${head}Content-Length: 100\r\n\r\n{"name"`, /^HTTP/)).toMatch(
      /^HTTP\/1\.1 408 /,
    );
    await strict.close();
  });

  it('is rejected as soon as its chunks exceed the size limit', async () => {
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n11000\r\n${' '.repeat(0x11000)}\r\n`;

    expect(await api.raw(chunked)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('is cut off if it does not end after its rejection', async () => {
    const never = 3_600_000;
    const patient = await startExampleApi({ timeouts: { headers: never, request: never } });
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;

    await patient
      .raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(100)}`, 'closed')
      .catch(() => 'cut');

    await patient.close();
  });

  it('is dropped without an error when its sender disconnects', async () => {
    await api.raw(`${head}Content-Length: 100\r\n\r\n{"name"`);

    expect((await fetch(`${api.url}/v1/things`)).status).toBe(200);
    expect(api.logLines.filter((line) => line.level === 'error')).toEqual([]);
  });
});
