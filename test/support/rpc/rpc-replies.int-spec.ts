import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '#sandbox/processes/child-process.js';
import { startTestChain, type TestChain } from '../chain.js';
import { call, idsOf, RpcCaller } from './rpc-caller.js';
import { lag } from './rpc-knowledge.js';
import { RpcProxy } from './rpc-proxy.js';
import * as replies from './rpc-replies.js';
import { hex } from './rpc-wire.js';

let chain: TestChain;
let proxy: RpcProxy;
let caller: RpcCaller;

beforeAll(async () => {
  chain = await startTestChain();
  await chain.mine(3);
  proxy = await RpcProxy.before(chain.url);
  caller = new RpcCaller(proxy);
});

afterEach(() => {
  proxy.behave();
  proxy.misbehaved.clear();
});

afterAll(async () => {
  await proxy?.close();
  await chain?.kill();
});

describe('A proxy whose answers do not arrive as they should', () => {
  it.each([
    ['never', replies.stall()],
    ['in half', replies.stallInBody()],
    ['on a connection that is ended', replies.hangsUp()],
    ['cut off', replies.truncated()],
  ])('answers %s', async (_, one) => {
    proxy.misbehave(one);
    const patience = new AbortController();
    const isAsked = () => proxy.misbehaved.get(one.name) === 1;

    const answer = caller
      .post(call('eth_blockNumber'), patience.signal)
      .then((response) => response.json())
      .then(
        () => 'whole',
        () => 'broken',
      );
    await waitUntil(isAsked, { timeoutMs: 60_000, everyMs: 5 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    patience.abort();

    expect(isAsked()).toBe(true);
    expect(await answer).toBe('broken');
  });

  it('answers well once it lets go of what it holds', async () => {
    const held = replies.holds();
    proxy.misbehave(held);
    const answer = caller.post(call('eth_chainId')).then((response) => response.json());
    await waitUntil(() => held.waiting > 0, { timeoutMs: 30_000, everyMs: 5 });

    proxy.behave();
    held.release();

    expect(await answer).toMatchObject({ result: '0x7a69' });
    expect(held.waiting).toBe(0);
  });

  it('limits only the named methods', async () => {
    proxy.misbehave(replies.tooMany(3, { methods: ['eth_getLogs'] }));

    const limited = await caller.post(call('eth_getLogs', [{}]));

    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3']);
    expect(await caller.ask('eth_chainId')).toBe('0x7a69');
  });

  it('says too many also in JSON-RPC, and answers with pages for people', async () => {
    const end = proxy.misbehave(replies.limitExceeded());
    const limited = await caller.answerTo('eth_chainId');
    end();
    proxy.misbehave(replies.serverError(502));
    const page = await caller.post(call('eth_chainId'));

    expect(limited).toMatchObject({ error: { code: -32005 } });
    expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await page.text()).toContain('<html>');
  });

  it('pours without end until nobody listens', async () => {
    const taken = { bytes: 0 };
    proxy.misbehave(replies.huge(taken));
    const response = await caller.post(call('eth_chainId'));
    const reader = response.body!.getReader();

    for (let read = 0; read < 8 << 20; read += (await reader.read()).value!.length);
    await reader.cancel();
    const afterwards = taken.bytes;
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(afterwards).toBeGreaterThanOrEqual(7 << 20);
    expect(taken.bytes - afterwards).toBeLessThanOrEqual(1 << 20);
  });

  it('answers batches backwards, with a hole, or not at all', async () => {
    const batch = [1, 2, 3].map((id) => call('eth_chainId', [], id));
    const answers = [];
    for (const one of [replies.reorderedBatch(), replies.missingInBatch(1), replies.refusesBatches()]) {
      proxy.misbehave(one);
      answers.push(await (await caller.post(batch)).json());
      proxy.behave();
    }

    expect(idsOf(answers[0])).toEqual([3, 2, 1]);
    expect(idsOf(answers[1])).toHaveLength(2);
    expect(answers[2]).toMatchObject({ error: { code: -32600 } });
  });

  it('does now this and now that, and at times nothing of it', async () => {
    proxy.misbehave(replies.flapping(7, [lag(1), replies.serverError(500), replies.truncated()]));
    const now = await chain.rpc<string>('eth_blockNumber');
    const seen = new Set<string>();
    for (let i = 0; i < 40; i += 1) {
      const response = await caller.post(call('eth_blockNumber'));
      const text = await response.text();
      seen.add(response.ok ? (text.endsWith('}') ? String(text.includes(now)) : 'cut') : 'page');
    }

    expect([...seen].sort()).toEqual(['cut', 'false', 'page', 'true']);
  });

  it('does several things at once', async () => {
    await chain.mine(2);
    proxy.misbehave(lag(1), replies.reorderedBatch());
    const batch = [call('eth_chainId', [], 1), call('eth_blockNumber', [], 2)];
    const head = Number(await chain.rpc<string>('eth_blockNumber'));

    const answers = (await (await caller.post(batch)).json()) as { id: number; result: string }[];

    expect(idsOf(answers)).toEqual([2, 1]);
    expect(answers[0]!.result).toBe(hex(head - 1));
  });
});
