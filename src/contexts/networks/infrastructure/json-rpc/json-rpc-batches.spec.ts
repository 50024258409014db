import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { hex } from '#contexts/networks/testing/stub-answers.js';
import {
  type Misbehaviour,
  Refusal,
  type RpcRequest,
  StubNode,
} from '#contexts/networks/testing/stub-node.js';
import { readQuantity } from '../evm/rpc/hex-fields.js';
import { JsonRpc } from './json-rpc.js';
import type { RpcCall } from './rpc-envelope.js';

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

function connect() {
  const rpc = new JsonRpc(settingsFor(url));
  return { rpc, endpoint: rpc.endpoints('sandbox')[0]! };
}

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
    [
      'an error in place of a list',
      batches(() => ({ id: null, error: { code: -32_600, message: 'no batches' } })),
    ],
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
    node.answers('eth_getLogs', ({ params }: RpcRequest) => [params[0], big]);
    const rpc = new JsonRpc(settingsFor(url));
    const calls = echoes(60).map((call) => ({
      ...call,
      method: 'eth_getLogs',
      isLong: true,
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

    await expect(rpc.batch(endpoint, echoes(5))).rejects.toThrow(
      'the node returned an error (-32000): unknown block',
    );
    expect(await rpc.batch(endpoint, knowing)).toEqual([0, 1, 2, -1, 4]);
  });

  it('asks a dead endpoint once, and for less the next time', async () => {
    node.misbehaves(() => undefined);
    node.isWaitedForOnlyOnceAsked();
    const { rpc, endpoint } = connect();

    await expect(rpc.batch(endpoint, echoes(80))).rejects.toThrow('did not respond completely in time');
    await expect(rpc.batch(endpoint, echoes(80))).rejects.toBeInstanceOf(ChainUnavailable);

    expect(node.posts[0]).toBe(80);
    expect(node.posts[1]).toBe(40);
  });
});

describe('A call that may take long', () => {
  it('is waited for as long as it says, and no other one is', async () => {
    node.answers('echo', ({ params }: RpcRequest) => params[0]);
    node.misbehaves((response, request) => {
      setTimeout(() => response.end(JSON.stringify(node.answerTo(request))), 600);
    });
    const rpc = new JsonRpc(settingsFor(url, {}, 200));
    const [endpoint] = rpc.endpoints('sandbox');

    expect(await rpc.callOnce(endpoint!, { ...echo(7), timeoutMs: 60_000 })).toBe(7);
    await expect(rpc.callOnce(endpoint!, echo(7))).rejects.toThrow('did not respond completely in time');
  });
});
