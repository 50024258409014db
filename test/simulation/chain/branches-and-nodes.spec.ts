import { beforeAll, describe, expect, it } from '@jest/globals';
import { noLogs } from '#test/support/rpc/rpc-logs.js';
import { hangsUp, serverError, stall, tooMany, truncated } from '#test/support/rpc/rpc-replies.js';
import { settledIn, transfersOf } from './block-facts.js';
import { type FurnishedChain, furnishChain } from './furnished-chain.js';
import { BrokenConnection, MemoryNode, NoAnswer } from './node/memory-node.js';
import { GOOD_VIEW } from './node/node-head.js';
import { pay } from './payments.js';
import { PoolRefusal } from './pool.js';

const TO = `0x${'22'.repeat(20)}`;
let furnished: FurnishedChain;
const chain = () => furnished.chain;
const usdc = () => furnished.tokens[0]!.address;
const mine = (changes: object = {}) => chain().mine({ time: chain().head.time + 12, ...changes });
const paid = (amount: bigint, payer = 0) => pay(furnished, { to: TO, token: usdc(), amount, payer });

async function asked<T>(node: MemoryNode, method: string, ...params: unknown[]): Promise<T> {
  const { text } = await node.answer(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }));
  const { result, error } = JSON.parse(text) as { result: T; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
}

beforeAll(async () => {
  furnished = await furnishChain({ chainId: 31_337, time: 1_700_000_000 });
});

describe('The tree of blocks', () => {
  it('is the same each time, also in a copy', async () => {
    const copy = await chain().copy();
    const again = await furnishChain({ chainId: 31_337, time: 1_700_000_000 });
    const next = { time: again.chain.head.time + 1 };
    const hashes: string[] = [];
    for (const each of [again.chain, copy]) {
      pay({ ...furnished, chain: each }, { to: TO, token: usdc(), amount: 1n });
      hashes.push((await each.mine(next)).hash);
    }

    expect(again.chain.at(chain().head.number)!.hash).toBe(chain().head.hash);
    expect(hashes[1]).toBe(hashes[0]);
  });

  it('takes transactions back into the pool, and other blocks in the places of the left ones', async () => {
    const hash = paid(5n);
    const before = chain().head;
    const first = await mine();
    const left = chain().unwind(before.number, 'wait');
    const second = await mine({ including: 'none' });
    const third = await mine();

    expect(left).toEqual([first]);
    expect(second.hash).not.toBe(first.hash);
    expect([second.transactions.length, third.transactions[0]!.signed.hash]).toEqual([0, hash]);
    expect(transfersOf(third)).toMatchObject([{ way: 'log', token: usdc(), to: TO, amount: '5' }]);
    expect(chain().placeOf(hash, first)![0]).toBe(first);
  });

  it('forgets the transactions of left blocks where it is told to, so that their nonces are free', async () => {
    const before = chain().head;
    const hash = paid(5n);
    await mine();
    chain().unwind(before.number, 'drop');

    expect(chain().pool.find(hash)).toBeUndefined();
    expect(paid(5n)).toBe(hash);
    await mine();
  });

  it('grows a branch beside the chain, and changes to it', async () => {
    const fork = chain().head;
    const hash = paid(9n, 1);
    const own = await mine();
    const aside = await mine({ upon: fork, including: 'none' });
    const longer = await chain().mine({ time: aside.time + 12, upon: aside });
    const { left, joined } = chain().switchTo(longer, 'drop');

    expect([left, joined]).toEqual([[own], [aside, longer]]);
    expect(longer.transactions.map(({ signed }) => signed.hash)).toEqual([hash]);
    expect(chain().head).toBe(longer);
  });
});

describe('The pool', () => {
  it('refuses as geth does', () => {
    paid(1n, 2);
    const waiting = chain().pool.all()[0]!;
    chain().pool.limits = { ...chain().pool.limits, isClosed: true };

    expect(() => chain().take(waiting)).toThrow('already known');
    expect(() => paid(1n, 3)).toThrow(new PoolRefusal('txpool is full'));
    expect(() => chain().take({ ...waiting, hash: '0x01' })).toThrow('txpool is full');
    chain().pool.limits = { ...chain().pool.limits, isClosed: false };
    expect(() => chain().take({ ...waiting, hash: '0x01' })).toThrow('replacement transaction underpriced');
    expect(() => chain().take({ ...waiting, hash: '0x02', nonce: 0 })).toThrow('nonce too low');
    expect(() => chain().take({ ...waiting, hash: '0x02', value: 10n ** 40n })).toThrow('insufficient funds');
  });

  it('leaves what offers too little while the base fee is high', async () => {
    chain().setNextBaseFee(10n ** 14n);
    const spike = await mine();
    chain().setNextBaseFee(10n ** 9n);
    const later = await mine();

    expect([spike.transactions.length, later.transactions.length]).toEqual([0, 1]);
  });
});

describe('A node', () => {
  it('lags, and stands on another branch, by its view', async () => {
    const fork = chain().head;
    const aside = await mine({ upon: fork });
    await mine();
    const number = (view: object) =>
      asked(new MemoryNode(chain(), { ...GOOD_VIEW, ...view }), 'eth_blockNumber');
    const { hash } = await asked<{ hash: string }>(
      new MemoryNode(chain(), { ...GOOD_VIEW, standsAt: aside }),
      'eth_getBlockByNumber',
      'latest',
      false,
    );

    expect(Number(await number({ lag: 1 }))).toBe(fork.number);
    expect(hash).toBe(aside.hash);
    expect(await asked(new MemoryNode(chain()), 'eth_getBlockByHash', aside.hash, false)).toBeNull();
    const remembering = new MemoryNode(chain(), { ...GOOD_VIEW, remembersLeft: true });
    expect(await asked(remembering, 'eth_getBlockByHash', aside.hash, false)).toMatchObject({ hash });
  });

  it('has no state of old blocks where its view keeps few', async () => {
    const node = new MemoryNode(chain(), { ...GOOD_VIEW, statesKept: 2 });

    expect(await asked(node, 'eth_getBalance', TO, 'latest')).toBe('0x0');
    await expect(asked(node, 'eth_getBalance', TO, '0x1')).rejects.toThrow('missing trie node');
  });

  it('answers as badly as it is told, and well again', async () => {
    const node = new MemoryNode(chain());
    const body = JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }]);
    const good = await node.answer(body);
    const answers: unknown[] = [];
    for (const one of [tooMany(3), serverError(502), truncated()]) {
      const end = node.misbehave(one);
      const { status, text } = await node.answer(body);
      answers.push([status, text === good.text]);
      end();
    }

    expect(answers).toEqual([
      [429, false],
      [502, false],
      [200, false],
    ]);
    for (const [one, kind] of [
      [hangsUp(), BrokenConnection],
      [stall(), NoAnswer],
    ] as const) {
      node.misbehave(one);
      await expect(node.answer(body)).rejects.toBeInstanceOf(kind);
      node.behave();
    }
    node.isAway = true;
    await expect(node.answer(body)).rejects.toBeInstanceOf(BrokenConnection);
    node.behave();
    expect(await node.answer(body)).toEqual(good);
  });

  it('lies about logs', async () => {
    paid(3n);
    const block = await mine();
    const node = new MemoryNode(chain());
    const logs = () => asked<object[]>(node, 'eth_getLogs', { blockHash: block.hash, address: usdc() });
    expect(await logs()).toHaveLength(1);
    node.misbehave(noLogs());

    expect(await logs()).toEqual([]);
    expect(settledIn(block, furnished.factory)).toEqual([]);
  });

  it('takes a transaction and passes it on to nobody, by its view', async () => {
    paid(4n);
    const { raw, hash } = chain().pool.all()[0]!;
    chain().pool.remove(chain().pool.find(hash)!);
    const node = new MemoryNode(chain(), { ...GOOD_VIEW, passesOn: false });

    expect(await asked(node, 'eth_sendRawTransaction', raw)).toBe(hash);
    expect(chain().pool.size).toBe(0);
    expect(await asked(new MemoryNode(chain()), 'eth_sendRawTransaction', raw)).toBe(hash);
    expect(chain().pool.size).toBe(1);
  });
});
