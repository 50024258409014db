import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import { settingsFor } from '../../testing/sample-configuration.js';
import { HASH, block, hex } from '../../testing/stub-answers.js';
import { type Misbehaviour, Refusal, type RpcRequest, StubNode } from '../../testing/stub-node.js';
import { readQuantity } from './hex-fields.js';
import { JsonRpc } from './json-rpc.js';
import { present, readHeader } from './rpc-answers.js';
import type { RpcCall } from './rpc-envelope.js';
import { EndpointFailure } from './rpc-failures.js';

let node: StubNode;
let url: string;

beforeEach(async () => {
  node = new StubNode();
  url = await node.start();
});
afterEach(() => node.stop());

/** A stall is noticed after so long; everything else answers far sooner. */
const PATIENCE_MS = 150;

function connect(path = '') {
  const rpc = new JsonRpc(settingsFor(`${url}${path}`, {}, PATIENCE_MS));
  return { rpc, endpoint: rpc.endpoints('sandbox')[0]! };
}

const HEADER = {
  method: 'eth_getBlockByNumber',
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
const echoed = (count: number) => Array.from({ length: count }, (_, i) => i);

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
  ['a stall before its headers', () => undefined],
  [
    'a stall within its body',
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc"'),
  ],
  ['a closed connection', (response) => void response.destroy()],
  ['an internal error', erring(-32_603, 'internal error')],
  ['an error under status 400', erring(-32_603, 'internal error', 400)],
  ['an error without words', replying(({ id }) => ({ id, error: {} }))],
  ['an empty list', replying(({ id }) => ({ id, result: [] }))],
  ['an empty object', replying(({ id }) => ({ id, result: {} }))],
  ['a number', replying(({ id }) => ({ id, result: 7 }))],
  ['a list instead of an answer', replying(({ id }) => [{ id, result: block() }])],
];
const LIMITS: [string, Misbehaviour][] = [
  ['status 429', text('slow down', 429)],
  ['status 503 with a time', text('', 503, { 'retry-after': '86400' })],
  ['an error that says so', erring(-32_005, 'daily request count exceeded, request rate limited')],
  ['code -32029', erring(-32_029, 'too fast')],
];

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

  it.each(LIMITS)('is not asked again at once after %s', async (_, limit) => {
    node.misbehaves(limit);
    const { rpc, endpoint } = connect();

    await expect(rpc.call(endpoint, HEADER)).rejects.toBeInstanceOf(EndpointFailure);
    await expect(rpc.batch(endpoint, echoes(5))).rejects.toBeInstanceOf(ChainUnavailable);
    expect(node.posts).toEqual([1, 5]);
  });

  it.each([
    ['a number of seconds', () => '120', 120_000],
    ['a date', () => new Date(Date.now() + 120_000).toUTCString(), 120_000],
    ['a date that is past', () => 'Thu, 01 Jan 2015 00:00:00 GMT', 0],
    ['something else', () => 'soon', null],
  ])('tells how long it wants to be left alone by %s', async (_, header, ms) => {
    node.misbehaves(text('', 429, { 'retry-after': header() }));
    const { rpc, endpoint } = connect();

    const failure = await rpc.call(endpoint, HEADER).catch((error: unknown) => error as EndpointFailure);

    const { retryAfterMs } = failure as EndpointFailure;
    if (ms === null) expect(retryAfterMs).toBeNull();
    else expect(Math.abs(retryAfterMs! - ms)).toBeLessThan(10_000);
  });

  it('never tells the address of the node, which may hold an access key', async () => {
    const { rpc, endpoint } = connect('/secret-key');
    const telling = erring(-32_000, `no such method at ${url}/secret-key?apikey=secret-key`);

    const errors: unknown[] = [];
    for (const [, trouble] of [...TROUBLES, ...LIMITS, ['an error with its address', telling] as const]) {
      node.misbehaves(trouble);
      await rpc.callOnce(endpoint, HEADER).catch((error: unknown) => errors.push(error));
    }

    expect(errors).toHaveLength(TROUBLES.length + LIMITS.length + 1);
    expect(errors.map(String).join('\n')).not.toMatch(/secret-key|127\.0\.0\.1/);
    expect(endpoint.name).toBe(new URL(url).host);
  });

  it('does not read an answer without end', async () => {
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
    const rpc = new JsonRpc(settingsFor(url, {}, 10_000));

    const endless = rpc.call(rpc.endpoints('sandbox')[0]!, HEADER);

    await expect(endless).rejects.toThrow('an answer of more than 33554432 bytes');
    expect(sent).toBeLessThan(64);
    expect(node.asked).toHaveLength(1);
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

describe('A batch of questions', () => {
  beforeEach(() => node.answers('echo', ({ params }: RpcRequest) => params[0]));
  const batches =
    (reply: (requests: readonly RpcRequest[]) => unknown, status = 200): Misbehaviour =>
    (response, first, batch) =>
      text(JSON.stringify(batch === null ? node.answerTo(first) : reply(batch)), batch === null ? 200 : status)(
        response,
        first,
        batch,
      );
  const answersTo = (requests: readonly RpcRequest[]) => requests.map((request) => node.answerTo(request));

  it('is cut in pieces and answered in order', async () => {
    const { rpc, endpoint } = connect();

    expect(await rpc.batch(endpoint, echoes(250))).toEqual(echoed(250));
    expect(node.posts.toSorted((a, b) => a - b)).toEqual([50, 100, 100]);
    expect(await rpc.batch(endpoint, [])).toEqual([]);
  });

  it('takes its answers in any order', async () => {
    node.misbehaves(batches((requests) => answersTo(requests).toReversed()));
    const { rpc, endpoint } = connect();

    expect(await rpc.batch(endpoint, echoes(20))).toEqual(echoed(20));
  });

  it.each<[string, (answers: { id?: unknown }[]) => unknown]>([
    ['too few answers', (answers) => answers.slice(1)],
    ['too many', (answers) => [...answers, answers[0]]],
    ['one twice in place of another', (answers) => [answers[0], ...answers.slice(0, -1)]],
    ['another id', (answers) => [{ ...answers[0], id: 1_000_000 }, ...answers.slice(1)]],
    ['an id that is no number', (answers) => [{ ...answers[0], id: 'x' }, ...answers.slice(1)]],
    ['no id', (answers) => [{ ...answers[0], id: undefined }, ...answers.slice(1)]],
    ['nothing for one', (answers) => [null, ...answers.slice(1)]],
    ['an object that is no error', () => ({ result: [] })],
    ['a number', () => 7],
  ])('is refused with %s, and asked again', async (_, spoil) => {
    const { rpc, endpoint } = connect();
    const spoilt = batches((requests) => spoil(answersTo(requests) as { id?: unknown }[]));

    node.misbehaves(spoilt);
    await expect(rpc.batch(endpoint, echoes(4))).rejects.toBeInstanceOf(ChainUnavailable);
    node.misbehaves(spoilt, 2);

    expect(await rpc.batch(endpoint, echoes(4))).toEqual(echoed(4));
  });

  it.each([
    ['an error in place of a list', batches(() => ({ id: null, error: { code: -32_600, message: 'no batches' } }))],
    [
      'an error in a list of one',
      batches(() => [{ id: null, error: { code: -32_600, message: 'batching is not allowed' } }]),
    ],
    ['status 400', batches(() => 'bad request', 400)],
    ['status 413', batches(() => 'too long', 413)],
  ])('is asked one by one where the endpoint answers with %s', async (_, refusing) => {
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
  ])('is cut smaller where an endpoint %s', async (_, refusal) => {
    node.misbehaves(batches((requests) => (requests.length > 10 ? refusal(requests) : answersTo(requests))));
    const { rpc, endpoint } = connect();

    expect(await rpc.batch(endpoint, echoes(100))).toEqual(echoed(100));
    expect(node.posts).not.toContain(1);
  });

  it('is cut smaller where its answer is too large', async () => {
    const big = 'x'.repeat(1 << 20);
    node.answers('echo', ({ params }: RpcRequest) => [params[0], big]);
    const rpc = new JsonRpc(settingsFor(url, {}, 10_000));
    const calls = echoes(60).map((call) => ({
      ...call,
      read: (answer: unknown) => readQuantity((answer as unknown[])[0], 'the echo'),
    }));

    expect(await rpc.batch(rpc.endpoints('sandbox')[0]!, calls)).toEqual(echoed(60));
  });

  it('fails where one of its questions is refused, unless that one knows what it means', async () => {
    node.answers('echo', ({ params }: RpcRequest) => {
      if (params[0] === '0x3') throw new Refusal(-32_000, 'unknown block');
      return params[0];
    });
    const { rpc, endpoint } = connect();
    const knowing = echoes(5).map((call) => ({ ...call, refused: () => -1 }));

    await expect(rpc.batch(endpoint, echoes(5))).rejects.toThrow('the node refused (-32000): unknown block');
    expect(await rpc.batch(endpoint, knowing)).toEqual([0, 1, 2, -1, 4]);
  });

  it('asks a dead endpoint once, and for less the next time', async () => {
    node.misbehaves(() => undefined);
    const { rpc, endpoint } = connect();

    await expect(rpc.batch(endpoint, echoes(80))).rejects.toThrow('no complete answer in time');
    await expect(rpc.batch(endpoint, echoes(80))).rejects.toBeInstanceOf(ChainUnavailable);

    expect(node.posts[0]).toBe(80);
    expect(node.posts[1]).toBe(40);
  });
});
