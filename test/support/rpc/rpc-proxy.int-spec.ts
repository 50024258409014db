import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { prepareChain, sandboxNetwork, sandboxPayer } from '#sandbox/chain/sandbox-chain.js';
import { PayerWallet, tokenOf } from '#sandbox/payer/payer-wallet.js';
import { startTestChain, type TestChain } from '../chain.js';
import { forkOff, otherFork, type ForkedChain } from './rpc-fork.js';
import { emptyPastHead, frozen, lag, narrowRanges, prunedState } from './rpc-knowledge.js';
import { allRemoved, gaps, invents, noLogs, removedLogs, repeats, wrongBlock } from './rpc-logs.js';
import { RpcProxy } from './rpc-proxy.js';
import { call, RpcCaller } from './rpc-caller.js';
import { hex, type RpcAnswer } from './rpc-wire.js';

const TO = `0x${'5a'.repeat(20)}` as const;
const TRANSFERS = 3;

interface Block {
  number: string;
  hash: string;
  logsBloom: string;
}
interface Log {
  blockHash: string;
  logIndex: string;
  removed: boolean;
  transactionHash: string;
}

let chain: TestChain;
let proxy: RpcProxy;
let caller: RpcCaller;
let fork: ForkedChain | undefined;
let head: number;
/** The block of the last of three transfers; three empty ones stand above it. */
let paid: number;

beforeAll(async () => {
  chain = await startTestChain();
  proxy = await RpcProxy.before(chain.url);
  caller = new RpcCaller(proxy);
  await prepareChain(chain.url);
  const wallet = new PayerWallet(chain.url, sandboxPayer);
  const token = tokenOf(sandboxNetwork(chain.url).assets[0]!.unique_asset_id);
  for (let i = 0; i < TRANSFERS; i += 1) {
    paid = Number(await wallet.mined(await wallet.send(token, TO, 1_000n)));
  }
  await chain.mine(3);
  head = Number(await chain.rpc<string>('eth_blockNumber'));
});

afterEach(() => proxy.behave());

afterAll(async () => {
  await proxy?.close();
  await fork?.kill();
  await chain?.kill();
});

const logsIn = (from: number, to: number) =>
  caller.ask<Log[]>('eth_getLogs', [{ fromBlock: hex(from), toBlock: hex(to) }]);
const logsOfPayments = () => logsIn(paid - TRANSFERS + 1, paid);
const blockAt = (at: number | string) =>
  caller.ask<Block | null>('eth_getBlockByNumber', [typeof at === 'number' ? hex(at) : at, false]);

describe('A proxy before a node, left alone', () => {
  it('answers as the node does, alone and in batches, and counts the calls', async () => {
    const before = proxy.callsOf('eth_blockNumber');
    const batch = [call('eth_chainId'), call('eth_blockNumber', [], 2), call('eth_nonsense', [], 3)];

    const answers = (await (await caller.post(batch)).json()) as RpcAnswer[];

    expect(answers).toMatchObject([
      { id: 1, result: '0x7a69' },
      { id: 2, result: hex(head) },
      { id: 3, error: { code: -32601 } },
    ]);
    expect(await caller.ask('eth_blockNumber')).toBe(hex(head));
    expect(proxy.callsOf('eth_blockNumber') - before).toBe(2);
    expect(await logsOfPayments()).toHaveLength(TRANSFERS);
    expect(proxy.misbehaved.size).toBe(0);
  });
});

describe('A proxy that knows less than the node', () => {
  it('lags alike in everything that it is asked', async () => {
    proxy.misbehave(lag(4));
    const behind = head - 4;

    expect(behind).toBe(paid - 1);
    expect(await caller.ask('eth_blockNumber')).toBe(hex(behind));
    expect((await blockAt('latest'))!.number).toBe(hex(behind));
    expect(await blockAt(behind + 1)).toBeNull();
    expect(await logsIn(0, head)).toHaveLength(
      (await chain.rpc<Log[]>('eth_getLogs', [{ fromBlock: '0x0' }])).length - 1,
    );
    const { hash } = await chain.rpc<Block>('eth_getBlockByNumber', [hex(paid), false]);
    expect(await caller.ask('eth_getBlockByHash', [hash, false])).toBeNull();
    expect(await caller.answerTo('eth_getLogs', [{ blockHash: hash }])).toMatchObject({
      error: { code: -32000 },
    });
    expect(await caller.answerTo('eth_getBalance', [TO, { blockHash: hash }])).toHaveProperty('error');
    expect(await caller.answerTo('eth_getBalance', [TO, hex(behind + 1)])).toHaveProperty('error');
    expect(await caller.answerTo('eth_getLogs', [{ fromBlock: hex(behind + 1) }])).toHaveProperty('error');
  });

  it('moves with the head when it lags, and not when it is frozen', async () => {
    const before = Number(await caller.ask('eth_blockNumber'));
    await chain.mine(1);

    const end = proxy.misbehave(lag(1));
    const lagging = await caller.ask('eth_blockNumber');
    end();
    proxy.misbehave(frozen(before - 1));
    const stopped = await caller.ask('eth_blockNumber');

    expect(lagging).toBe(hex(before));
    expect(stopped).toBe(hex(before - 1));
  });

  it('finds no logs past its head where it is to say so', async () => {
    proxy.misbehave(frozen(paid - 1), emptyPastHead());
    const { hash } = await chain.rpc<Block>('eth_getBlockByNumber', [hex(paid), false]);

    expect(await logsIn(paid, paid)).toEqual([]);
    expect(await caller.ask('eth_getLogs', [{ blockHash: hash }])).toEqual([]);
    expect(await logsOfPayments()).toHaveLength(TRANSFERS - 1);
  });

  it('refuses wide ranges and old state', async () => {
    proxy.misbehave(narrowRanges(2), prunedState(2));
    const now = Number(await chain.rpc<string>('eth_blockNumber'));

    expect(await logsIn(paid - 1, paid)).toHaveLength(2);
    await expect(logsOfPayments()).rejects.toThrow('exceed maximum block range: 2');
    expect(await caller.ask('eth_getBalance', [TO, hex(now - 1)])).toBe('0x0');
    await expect(caller.ask('eth_getBalance', [TO, hex(now - 2)])).rejects.toThrow('missing trie node');
  });
});

describe('A proxy that shows wrong logs', () => {
  it('leaves some out, not always the same, or all', async () => {
    proxy.misbehave(gaps(1));
    const answers = await Promise.all(Array.from({ length: 10 }, logsOfPayments));
    proxy.behave();
    proxy.misbehave(noLogs());

    expect(answers.every((logs) => logs.length < TRANSFERS)).toBe(true);
    expect(new Set(answers.map((logs) => JSON.stringify(logs))).size).toBeGreaterThan(2);
    expect(await logsOfPayments()).toEqual([]);
  });

  it('repeats them, marks them as removed, turns them round, or moves them to another block', async () => {
    const real = await logsOfPayments();
    const answers = [];
    for (const one of [repeats(), removedLogs(), allRemoved(), wrongBlock()]) {
      proxy.misbehave(one);
      answers.push(await logsOfPayments());
      proxy.behave();
    }
    const [twice, backwards, removed, moved] = answers as [Log[], Log[], Log[], Log[]];

    expect(twice).toEqual(real.flatMap((log) => [log, log]));
    expect(backwards.filter((log) => !log.removed)).toEqual(real.toReversed());
    expect(backwards.filter((log) => log.removed)).toHaveLength(TRANSFERS);
    expect(removed).toEqual(real.map((log) => ({ ...log, removed: true })));
    expect(moved.some((log, at) => log.blockHash === real[at]!.blockHash)).toBe(false);
  });

  it('shows the same invented transfer in every answer', async () => {
    const token = tokenOf(sandboxNetwork(chain.url).assets[0]!.unique_asset_id);
    const transactionHash = `0x${'1e'.repeat(32)}`;
    const [from, blockNumber] = [sandboxPayer.address, paid + 1];
    proxy.misbehave(invents({ token, from, to: TO, amount: 5n, blockNumber, transactionHash }));
    const block = (await blockAt(blockNumber))!;

    const [log] = await caller.ask<Log[]>('eth_getLogs', [{ blockHash: block.hash }]);

    expect(log).toMatchObject({ transactionHash, blockHash: block.hash, removed: false });
    expect(BigInt(block.logsBloom)).toBe(2n ** 2048n - 1n);
    expect(await logsIn(blockNumber, head)).toEqual([log]);
    expect(await logsIn(blockNumber + 1, head)).toEqual([]);
    expect(await caller.ask('eth_getTransactionReceipt', [transactionHash])).toMatchObject({ logs: [log] });
    expect(await chain.rpc('eth_getTransactionReceipt', [transactionHash])).toBeNull();
  });
});

describe('A proxy that answers from another fork', () => {
  it('shows the same past and another present', async () => {
    const before = Number(await chain.rpc<string>('eth_blockNumber'));
    fork = await forkOff(chain);
    await Promise.all([chain.mine(2), fork.mine(3)]);
    const [old, ours] = [await blockAt(before), await blockAt(before + 1)];
    proxy.misbehave(otherFork(fork));

    expect(await blockAt(before)).toEqual(old);
    expect((await blockAt(before + 1))!.hash).not.toBe(ours!.hash);
    expect(await caller.ask('eth_blockNumber')).toBe(hex(before + 3));
    expect(await logsOfPayments()).toHaveLength(TRANSFERS);
    expect(await blockAt(0)).toEqual(await chain.rpc('eth_getBlockByNumber', ['0x0', false]));
  });
});
