import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { HASH, block, hex } from '#contexts/networks/testing/stub-answers.js';
import {
  type Misbehaviour,
  type RpcRequest,
  StubNode,
  Refusal,
} from '#contexts/networks/testing/stub-node.js';
import { readQuantity } from '../ethereum-rpc/hex-fields.js';
import { JsonRpc } from './json-rpc.js';
import { requirePresent, readHeader } from '../ethereum-rpc/block-answers.js';
import { withCallPurpose, type CallPurpose } from './call-purpose.js';
import type { RpcCall } from './rpc-envelope.js';
import { EndpointFailure } from './rpc-failures.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';

/** Dates in HTTP headers have no fractions of a second. */
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

/** Short time after which a stalled answer fails. */
const IMPATIENT_MS = 400;

function connect(path = '', patienceMs?: number, changes: object = {}) {
  const rpc = new JsonRpc(settingsFor(`${url}${path}`, changes, patienceMs));
  return { rpc, endpoint: rpc.endpoints('sandbox')[0]! };
}

const HEADER = {
  method: 'eth_getBlockByNumber',
  isLong: true,
  params: ['0x10', false],
  read: (answer: unknown) => requirePresent(readHeader(answer), 'such block'),
};
/** A call that the node answers with the call's own parameter. */
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

/** Returns a valid answer whose body has this content encoding. */
function encoded(coding: string, code: (text: string) => Buffer, type = 'application/json'): Misbehaviour {
  return (response, { id }) =>
    response
      .writeHead(200, { 'content-type': type, 'content-encoding': coding })
      .end(code(JSON.stringify({ id, result: block() })));
}

/** Answers of a faulty node, sent for any request. */
const TROUBLES: [string, Misbehaviour][] = [
  ['an answer cut off', text('{"jsonrpc":"2.0","id":1,"result":{"number":"0x1')],
  ['nothing at all', text('')],
  ['no result', replying(({ id }) => ({ jsonrpc: '2.0', id }))],
  ['the answer to another request', replying(({ id }) => ({ jsonrpc: '2.0', id: id + 1, result: block() }))],
  ['a web page', text('<html>', 200, { 'content-type': 'text/html' })],
  ['a closed connection', (response) => void response.destroy()],
  ['an error under status 400', erring(-32_603, 'internal error', 400)],
  ['a list instead of an answer', replying(({ id }) => [{ id, result: block() }])],
  ['Brotli that nobody asked for', encoded('br', brotliCompressSync)],
  ['gzip that is none', encoded('gzip', Buffer.from)],
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
  ['an error with the code of a limit', erring(-32_029, 'not now')],
  ['an error that says so', erring(-32_005, 'daily request count exceeded, request rate limited')],
  ['an error code', erring(-32_029, 'slow down')],
  ['compute units', erring(-32_000, 'your app has exceeded its compute units per second')],
];

describe('A question to a node', () => {
  it.each<[string, Misbehaviour]>([
    ['gzip', encoded('gzip', gzipSync)],
    ['a byte order mark', encoded('', (body) => Buffer.from(`\uFEFF${body}`))],
    ['a character set spelled otherwise', encoded('', Buffer.from, 'application/json;charset="UTF8"')],
  ])('accepts an answer in another encoding: %s', async (_, answer) => {
    node.misbehaves(answer);
    const { rpc, endpoint } = connect();

    expect((await rpc.callOnce(endpoint, HEADER)).hash).toBe(HASH);
  });

  it('limits an answer in gzip by the length of the text in it', async () => {
    node.misbehaves(encoded('gzip', () => gzipSync(Buffer.alloc(34 << 20))));
    const { rpc, endpoint } = connect();

    await expect(rpc.callOnce(endpoint, HEADER)).rejects.toMatchObject({ kind: 'too_large' });
  });
});

describe('A question to a node in trouble', () => {
  it('names the service, as some providers require', async () => {
    const agents: unknown[] = [];
    node.misbehaves((response, ...request) => {
      agents.push(response.req.headers['user-agent']);
      replying(({ id }) => ({ jsonrpc: '2.0', id, result: block() }))(response, ...request);
    });
    const { rpc, endpoint } = connect();

    await rpc.callOnce(endpoint, HEADER);

    expect(agents).toEqual([expect.stringMatching(/^\w+/)]);
  });

  it('gives up after three tries', async () => {
    node.misbehaves(text('', 500));
    const { rpc, endpoint } = connect();

    await expect(rpc.call(endpoint, HEADER)).rejects.toBeInstanceOf(ChainUnavailable);
    expect(node.asked).toHaveLength(3);
  });

  it.each(TROUBLES)('is sent again after a faulty answer, and succeeds: %s', async (_, trouble) => {
    node.answers('eth_getBlockByNumber', block());
    node.misbehaves(trouble, 2);
    const { rpc, endpoint } = connect();

    expect((await rpc.call(endpoint, HEADER)).hash).toBe(HASH);
    expect(node.asked).toHaveLength(3);
  });

  it.each(STALLS)(
    'is not sent again after a stall, so that the next iteration soon asks another node: %s',
    async (_, stall) => {
      node.misbehaves(stall);
      node.isWaitedForOnlyOnceAsked();
      const { rpc, endpoint } = connect();

      await expect(rpc.call(endpoint, HEADER)).rejects.toMatchObject({ kind: 'timeout' });
      await expect(rpc.batch(endpoint, echoes(5))).rejects.toMatchObject({ kind: 'timeout' });
      await expect(rpc.batch(endpoint, echoes(1))).rejects.toMatchObject({ kind: 'timeout' });
      expect(node.posts).toEqual([1, 5, 1]);
    },
  );

  it.each(LIMITS)('is not sent again immediately if the node limits calls: %s', async (name, limit) => {
    node.misbehaves(limit);
    const { rpc, endpoint } = connect();

    await expect(rpc.call(endpoint, HEADER)).rejects.toBeInstanceOf(EndpointFailure);
    await expect(rpc.batch(endpoint, echoes(5))).rejects.toBeInstanceOf(ChainUnavailable);
    // The second has a single call, as only one was accepted in the second before; none is sent in a long pause.
    expect(node.posts).toEqual(name === 'status 503 with a time' ? [1] : [1, 1]);
  });

  it.each([
    ['a number of seconds', () => '120', 120_000],
    ['a date', () => new Date(wholeSecond + 120_000).toUTCString(), 120_000],
    ['something else', () => 'soon', null],
  ])('reports the requested pause, given as %s', async (_, header, ms) => {
    jest.spyOn(Date, 'now').mockReturnValue(wholeSecond);
    node.misbehaves(text('', 429, { 'retry-after': header() }));
    const { rpc, endpoint } = connect();

    const failure = await rpc.call(endpoint, HEADER).catch((error: unknown) => error as EndpointFailure);

    const { retryAfterMs } = failure as EndpointFailure;
    expect(retryAfterMs).toBe(ms);
  });

  it('keeps the URL of the node, which may hold a key, out of errors', async () => {
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

  /**
   * Sends spaces until the client closes the connection.
   * @returns a function that returns how many MiB were sent
   */
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
  ])('does not read an endless answer, whatever its type: %s', async (_, call, bytes) => {
    const sent = withoutEnd();
    const rpc = new JsonRpc(settingsFor(url));

    const endless = rpc.call(rpc.endpoints('sandbox')[0]!, call);

    await expect(endless).rejects.toThrow(`the response exceeds ${bytes} bytes`);
    expect(sent()).toBeLessThan(64);
    expect(node.asked).toHaveLength(1);
  });
});

const echoed = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('A batch of questions', () => {
  beforeEach(() => node.answers('echo', ({ params }: RpcRequest) => params[0]));
  const batches =
    (reply: (requests: readonly RpcRequest[]) => unknown, status = 200): Misbehaviour =>
    (response, first, batch) =>
      text(
        JSON.stringify(batch === null ? node.answerTo(first) : reply(batch)),
        batch === null ? 200 : status,
      )(response, first, batch);
  const answersTo = (requests: readonly RpcRequest[]) => requests.map((request) => node.answerTo(request));

  it('accepts the answers in any order', async () => {
    node.misbehaves(batches((requests) => answersTo(requests).toReversed()));
    const { rpc, endpoint } = connect();

    expect(await rpc.batch(endpoint, echoes(20))).toEqual(echoed(20));
  });

  it.each<[string, (answers: { id?: unknown }[]) => unknown]>([
    ['one twice in place of another', (answers) => [answers[0], ...answers.slice(0, -1)]],
    ['one too many', (answers) => [...answers, answers[0]]],
    ['another id', (answers) => [{ ...answers[0], id: 1_000_000 }, ...answers.slice(1)]],
    ['an id that is no number', (answers) => [{ ...answers[0], id: 'x' }, ...answers.slice(1)]],
    ['nothing for one', (answers) => [null, ...answers.slice(1)]],
    ['an object that is no error', () => ({ result: [] })],
  ])('is sent again after a wrong answer: %s', async (_, spoil) => {
    const { rpc, endpoint } = connect();
    const spoilt = batches((requests) => spoil(answersTo(requests) as { id?: unknown }[]));

    node.misbehaves(spoilt);
    await expect(rpc.batch(endpoint, echoes(4))).rejects.toBeInstanceOf(ChainUnavailable);
    node.misbehaves(spoilt, 2);

    expect(await rpc.batch(endpoint, echoes(4))).toEqual(echoed(4));
  });

  it.each([
    [
      'an error in a list of one',
      batches(() => [{ id: null, error: { code: -32_600, message: 'batching is not allowed' } }]),
    ],
    ['status 413', batches(() => 'too long', 413)],
    ['one answer too few', batches((requests) => answersTo(requests).slice(1))],
  ])('is replaced by single calls if the endpoint answers with %s', async (_, refusing) => {
    node.misbehaves(refusing);
    const { rpc, endpoint } = connect();

    expect(await rpc.batch(endpoint, echoes(40))).toEqual(echoed(40));
    const postsOfFirst = node.posts.length;
    await rpc.batch(endpoint, echoes(40));

    expect(node.posts.slice(postsOfFirst).filter((calls) => calls > 1).length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['refuses the whole', () => ({ id: null, error: { code: -32_000, message: 'batch too large' } })],
    [
      'refuses the last of them',
      (requests: readonly RpcRequest[]) => [
        ...answersTo(requests).slice(0, -1),
        { id: requests.at(-1)!.id, error: { code: -32_003, message: 'response too large' } },
      ],
    ],
  ])('is split into smaller ones if an endpoint %s', async (_, refusal) => {
    node.misbehaves(batches((requests) => (requests.length > 10 ? refusal(requests) : answersTo(requests))));
    const { rpc, endpoint } = connect();

    expect(await rpc.batch(endpoint, echoes(100))).toEqual(echoed(100));
    expect(node.posts).not.toContain(1);
  });

  it('is split into smaller ones if its answer is too large', async () => {
    node.answers('eth_getLogs', ({ params }: RpcRequest) => [params[0], 'x'.repeat(1_000)]);
    const { networks, patience } = settingsFor(url);
    const rpc = new JsonRpc(new NetworksSettings(networks, { ...patience, parsedBytes: 20_000 }));
    const calls = echoes(60).map((call) => ({
      ...call,
      method: 'eth_getLogs',
      isLong: true,
      read: (answer: unknown) => readQuantity((answer as unknown[])[0], 'the echo'),
    }));

    expect(await rpc.batch(rpc.endpoints('sandbox')[0]!, calls)).toEqual(echoed(60));
    expect(node.posts.length).toBeGreaterThan(1);
  });

  it('fails if one of its calls is rejected and does not handle the error', async () => {
    node.answers('echo', ({ params }: RpcRequest) => {
      if (params[0] === '0x3') throw new Refusal(-32_000, 'unknown block');
      return params[0];
    });
    const { rpc, endpoint } = connect();
    const knowing = echoes(5).map((call) => ({ ...call, refused: () => -1 }));

    await expect(rpc.batch(endpoint, echoes(5))).rejects.toThrow(
      'the node returned an error (-32000): unknown block',
    );
    expect(await rpc.batch(endpoint, knowing)).toEqual([0, 1, 2, -1, 4]);
  });
});

describe('A call that may take long', () => {
  it('uses its own timeout, and others the default', async () => {
    node.answers('echo', ({ params }: RpcRequest) => params[0]);
    const limits = jest.spyOn(AbortSignal, 'timeout');
    const rpc = new JsonRpc(settingsFor(url, {}, 5_000));
    const [endpoint] = rpc.endpoints('sandbox');

    expect(await rpc.callOnce(endpoint!, { ...echo(7), timeoutMs: 60_000 })).toBe(7);
    await rpc.callOnce(endpoint!, echo(7));

    expect(limits.mock.calls).toEqual([[60_000], [5_000]]);
  });
});

describe('An endpoint with max_calls_per_second', () => {
  const asked = () => node.asked.map(({ params }) => params[0]);

  it('is sent the most urgent calls first', async () => {
    node.answers('echo', ({ params }: RpcRequest) => params[0]);
    const { rpc, endpoint } = connect('', undefined, { max_calls_per_second: 5 });
    const call = (purpose: CallPurpose, number: number) =>
      withCallPurpose(purpose, () => rpc.call(endpoint, echo(number)));

    const first = withCallPurpose('check', () => rpc.batch(endpoint, echoes(5)));
    await Promise.all([first, call('check', 10), call('sending', 11), call('reading', 12)]);

    expect(asked().slice(5)).toEqual([12, 11, 10].map(hex));
  });

  it('is sent no batch of more calls than that', async () => {
    node.answers('echo', ({ params }: RpcRequest) => params[0]);
    const { rpc, endpoint } = connect('', undefined, { max_calls_per_second: 4 });

    await rpc.batch(endpoint, echoes(6));

    expect(node.posts).toEqual([4, 2]);
  });
});
