import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { HASH, block, hex } from '#contexts/networks/testing/stub-answers.js';
import { type Misbehaviour, type RpcRequest, StubNode } from '#contexts/networks/testing/stub-node.js';
import { readQuantity } from '../evm/rpc/hex-fields.js';
import { JsonRpc } from './json-rpc.js';
import { present, readHeader } from '../evm/rpc/block-answers.js';
import type { RpcCall } from './rpc-envelope.js';
import { EndpointFailure } from './rpc-failures.js';

/** Dates in headers have no fractions of a second. */
const wholeSecond = Date.parse('2030-01-01T00:00:00Z');

let node: StubNode;
let url: string;

beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => {
  jest.restoreAllMocks();
  return node.stop();
});

/** After which a stall is noticed. */
const IMPATIENT_MS = 400;

function connect(path = '', patienceMs?: number) {
  const rpc = new JsonRpc(settingsFor(`${url}${path}`, {}, patienceMs));
  return { rpc, endpoint: rpc.endpoints('sandbox')[0]! };
}

const HEADER = {
  method: 'eth_getBlockByNumber',
  isLong: true,
  params: ['0x10', false],
  read: (answer: unknown) => present(readHeader(answer), 'such block'),
};
/** Answered with its own parameter. */
const echo = (number: number): RpcCall<number> => ({
  method: 'echo',
  params: [hex(number)],
  read: (answer) => readQuantity(answer, 'the echo'),
});
const echoes = (count: number) => Array.from({ length: count }, (_, i) => echo(i));

const text =
  (body: string, status = 200, headers: Record<string, string> = {}): Misbehaviour =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
const replying =
  (reply: (request: RpcRequest) => unknown, status = 200): Misbehaviour =>
  (response, request) =>
    text(JSON.stringify(reply(request)), status)(response, request, null);
const erring = (code: number, message: string, status = 200) =>
  replying(({ id }) => ({ jsonrpc: '2.0', id, error: { code, message } }), status);

/** A good answer, but for how its bytes are coded. */
function encoded(coding: string, code: (text: string) => Buffer, type = 'application/json'): Misbehaviour {
  return (response, { id }) =>
    response
      .writeHead(200, { 'content-type': type, 'content-encoding': coding })
      .end(code(JSON.stringify({ id, result: block() })));
}

/** A node in trouble, whatever it is asked. */
const TROUBLES: [string, Misbehaviour][] = [
  ['an answer cut off', text('{"jsonrpc":"2.0","id":1,"result":{"number":"0x1')],
  ['nothing at all', text('')],
  ['JSON that is no object', text('null')],
  ['no result', replying(({ id }) => ({ jsonrpc: '2.0', id }))],
  ['the answer to another request', replying(({ id }) => ({ jsonrpc: '2.0', id: id + 1, result: block() }))],
  ['a web page', text('<html>', 200, { 'content-type': 'text/html' })],
  ['a redirection', text('', 307, { location: 'http://127.0.0.1:1/' })],
  ['status 500', text('', 500)],
  ['a closed connection', (response) => void response.destroy()],
  ['an internal error', erring(-32_603, 'internal error')],
  ['an error under status 400', erring(-32_603, 'internal error', 400)],
  ['an error without words', replying(({ id }) => ({ id, error: {} }))],
  ['an empty list', replying(({ id }) => ({ id, result: [] }))],
  ['an empty object', replying(({ id }) => ({ id, result: {} }))],
  ['a number', replying(({ id }) => ({ id, result: 7 }))],
  ['a list instead of an answer', replying(({ id }) => [{ id, result: block() }])],
  ['Brotli that nobody asked for', encoded('br', brotliCompressSync)],
  ['gzip that is none', encoded('gzip', Buffer.from)],
  ['another character set', encoded('identity', Buffer.from, 'application/json; charset=utf-16')],
];
const STALLS: [string, Misbehaviour][] = [
  ['a stall before its headers', () => undefined],
  [
    'a stall within its body',
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc"'),
  ],
];
const LIMITS: [string, Misbehaviour][] = [
  ['status 429', text('slow down', 429)],
  ['status 503 with a time', text('', 503, { 'retry-after': '86400' })],
  ['an error that says so', erring(-32_005, 'daily request count exceeded, request rate limited')],
  ['code -32029', erring(-32_029, 'too fast')],
];

describe('A question to a node', () => {
  it('names the service and asks for gzip only', async () => {
    const seen: IncomingHttpHeaders[] = [];
    node.misbehaves((response, { id }) => {
      seen.push(response.req.headers);
      response.end(JSON.stringify({ id, result: block() }));
    });
    const { rpc, endpoint } = connect();

    await rpc.call(endpoint, HEADER);

    const agent = expect.stringMatching(/^payment-collection-service\/\d+\.\d+\.\d+$/);
    expect(seen).toMatchObject([{ 'user-agent': agent, 'accept-encoding': 'gzip' }]);
  });

  it.each<[string, Misbehaviour]>([
    ['gzip', encoded('gzip', gzipSync)],
    ['a byte order mark', encoded('', (body) => Buffer.from(`\uFEFF${body}`))],
    ['a character set spelled otherwise', encoded('', Buffer.from, 'application/json;charset="UTF8"')],
  ])('is answered with %s', async (_, answer) => {
    node.misbehaves(answer);
    const { rpc, endpoint } = connect();

    expect((await rpc.callOnce(endpoint, HEADER)).hash).toBe(HASH);
  });

  it('takes no more of gzip than of the text in it', async () => {
    node.misbehaves(encoded('gzip', () => gzipSync(Buffer.alloc(64 << 20))));
    const { rpc, endpoint } = connect();

    await expect(rpc.callOnce(endpoint, HEADER)).rejects.toMatchObject({ kind: 'too_large' });
  });

  it('is known to be limited also where the page of the limit is not read', async () => {
    node.misbehaves((response) => response.writeHead(429, { 'content-encoding': 'br' }).end('slow down'));
    const { rpc, endpoint } = connect();

    await expect(rpc.callOnce(endpoint, HEADER)).rejects.toMatchObject({ kind: 'rate_limited' });
  });
});

describe('A question to a node in trouble', () => {
  it.each(TROUBLES)('takes %s for no answer', async (_, trouble) => {
    node.misbehaves(trouble);
    const { rpc, endpoint } = connect();

    await expect(rpc.call(endpoint, HEADER)).rejects.toBeInstanceOf(ChainUnavailable);
    expect(node.asked).toHaveLength(3);
  });

  it.each(TROUBLES)('recovers from %s by being asked again', async (_, trouble) => {
    node.answers('eth_getBlockByNumber', block());
    node.misbehaves(trouble, 2);
    const { rpc, endpoint } = connect();

    expect((await rpc.call(endpoint, HEADER)).hash).toBe(HASH);
    expect(node.asked).toHaveLength(3);
  });

  it.each(STALLS)('waits once for %s, so that the next turn soon asks another', async (_, stall) => {
    node.misbehaves(stall);
    node.isWaitedForOnlyOnceAsked();
    const { rpc, endpoint } = connect();

    await expect(rpc.call(endpoint, HEADER)).rejects.toMatchObject({ kind: 'timeout' });
    await expect(rpc.batch(endpoint, echoes(5))).rejects.toMatchObject({ kind: 'timeout' });
    await expect(rpc.batch(endpoint, echoes(1))).rejects.toMatchObject({ kind: 'timeout' });
    expect(node.posts).toEqual([1, 5, 1]);
  });

  it.each(LIMITS)('is not asked again at once after %s', async (_, limit) => {
    node.misbehaves(limit);
    const { rpc, endpoint } = connect();

    await expect(rpc.call(endpoint, HEADER)).rejects.toBeInstanceOf(EndpointFailure);
    await expect(rpc.batch(endpoint, echoes(5))).rejects.toBeInstanceOf(ChainUnavailable);
    expect(node.posts).toEqual([1, 5]);
  });

  it.each([
    ['a number of seconds', () => '120', 120_000],
    ['a date', () => new Date(wholeSecond + 120_000).toUTCString(), 120_000],
    ['a date that is past', () => 'Thu, 01 Jan 2015 00:00:00 GMT', 0],
    ['something else', () => 'soon', null],
  ])('tells how long it wants to be left alone by %s', async (_, header, ms) => {
    jest.spyOn(Date, 'now').mockReturnValue(wholeSecond);
    node.misbehaves(text('', 429, { 'retry-after': header() }));
    const { rpc, endpoint } = connect();

    const failure = await rpc.call(endpoint, HEADER).catch((error: unknown) => error as EndpointFailure);

    const { retryAfterMs } = failure as EndpointFailure;
    expect(retryAfterMs).toBe(ms);
  });

  it('never tells the address of the node, which may hold an access key', async () => {
    const { rpc, endpoint } = connect('/secret-key', IMPATIENT_MS);
    const telling = erring(-32_000, `no such method at ${url}/secret-key?apikey=secret-key`);

    const errors: unknown[] = [];
    for (const [, trouble] of [
      ...TROUBLES,
      ...STALLS,
      ...LIMITS,
      ['an error with its address', telling] as const,
    ]) {
      node.misbehaves(trouble);
      await rpc.callOnce(endpoint, HEADER).catch((error: unknown) => errors.push(error));
    }

    expect(errors).toHaveLength(TROUBLES.length + STALLS.length + LIMITS.length + 1);
    expect(errors.map(String).join('\n')).not.toMatch(/secret-key|127\.0\.0\.1/);
    expect(endpoint.name).toBe(new URL(url).host);
  });

  it.each([
    ['invalid API key s3cr3t-k3y', '/v2/s3cr3t-k3y'],
    ['no such path: /v2/S3CR3T-K3Y', '/v2/s3cr3t-k3y'],
    ['invalid apikey s3c+r3t=', '/?apikey=s3c%2Br3t%3D'],
    ['invalid apikey s3c%2Br3t%3D', '/?apikey=s3c%2Br3t%3D'],
  ])('strikes the key out where the node says "%s"', async (words, path) => {
    const { rpc, endpoint } = connect(path);
    const said: string[] = [];
    const listen = (error: unknown) => void said.push(String(error));

    node.misbehaves((response, { id }, batch) => {
      const refusal = { id, error: { code: -32_000, message: words } };
      response.end(JSON.stringify(batch?.map((request) => ({ ...refusal, id: request.id })) ?? refusal));
    });
    await rpc.callOnce(endpoint, HEADER).catch(listen);
    await rpc.batch(endpoint, echoes(2)).catch(listen);

    expect(said).toHaveLength(2);
    for (const sentence of said) {
      expect(sentence).toContain('(secret)');
      expect(sentence).not.toMatch(/s3c/i);
    }
  });

  /** Spaces, until the other side hangs up. @returns how many MiB were sent */
  function withoutEnd(): () => number {
    let sent = 0;
    node.misbehaves((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        for (let room = true; room && !response.destroyed;) {
          room = response.write(Buffer.alloc(1 << 20, 32));
          sent += 1;
        }
      };
      response.on('drain', more);
      more();
    });
    return () => sent;
  }

  it.each<[string, RpcCall<unknown>, number]>([
    ['of a number', echo(1), 262_144],
    ['of a block', HEADER, 33_554_432],
  ])('does not read an answer without end, were it one %s', async (_, call, bytes) => {
    const sent = withoutEnd();
    const rpc = new JsonRpc(settingsFor(url));

    const endless = rpc.call(rpc.endpoints('sandbox')[0]!, call);

    await expect(endless).rejects.toThrow(`the response exceeds ${bytes} bytes`);
    expect(sent()).toBeLessThan(64);
    expect(node.asked).toHaveLength(1);
  });

  it('reads of a batch as much as of its calls one by one', async () => {
    const long = { ...echo(1), read: (answer: unknown) => String(answer).length };
    node.answers('echo', ' '.repeat(200_000));
    const { rpc, endpoint } = connect();

    expect(await rpc.batch(endpoint, [long, long, long])).toEqual([200_000, 200_000, 200_000]);
    expect(node.posts).toEqual([3]);
  });

  it('sends what a URL holds as credentials in a header', async () => {
    const seen: (string | undefined)[] = [];
    node.misbehaves((response, request) => {
      seen.push(response.req.headers.authorization);
      response.end(JSON.stringify(node.answerTo(request)));
    });
    node.answers('eth_getBlockByNumber', block());
    const rpc = new JsonRpc(settingsFor(url.replace('//', '//us%40er:pa%3Ass@')));

    await rpc.call(rpc.endpoints('sandbox')[0]!, HEADER);

    expect(seen).toEqual([`Basic ${Buffer.from('us@er:pa:ss').toString('base64')}`]);
  });
});
