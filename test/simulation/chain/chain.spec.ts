import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Hex, encodeFunctionData, toHex } from 'viem';
import { settlementGasLimits } from '#contexts/networks/domain/settlement-plan/settlement-gas.js';
import { FACTORY_ABI } from '#chains/forwarders/settle-call.js';
import { hangsUp, serverError, stall, tooMany, truncated } from '#test/support/rpc/rpc-replies.js';
import type { Payment } from '../acts/world.js';
import { settledIn, transfersOf } from './block-facts.js';
import { type FurnishedChain, furnishChain } from './furnished-chain.js';
import { messageOf, nextBlock, requireSuccess, runCall } from './node/calls.js';
import { BrokenConnection, MemoryNode, NoAnswer } from './node/memory-node.js';
import { GOOD_VIEW } from './node/node-head.js';
import { pay } from './payments.js';
import { PoolRefusal } from './pool.js';
import { signTransaction } from './signed-transaction.js';

const TO = `0x${'22'.repeat(20)}`;
const SERVICE = `0x${'32'.repeat(20)}`;
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

describe('A simulated chain', () => {
  it('returns transactions of replaced blocks to the pool', async () => {
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

  it('drops transactions of replaced blocks on request, which frees their nonces', async () => {
    const before = chain().head;
    const hash = paid(5n);
    await mine();
    chain().unwind(before.number, 'drop');

    expect(chain().pool.find(hash)).toBeUndefined();
    expect(paid(5n)).toBe(hash);
    await mine();
  });
});

describe('A simulated pool of transactions', () => {
  it('rejects transactions with the messages of geth', () => {
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
});

describe('A simulated node', () => {
  it('lags or follows another branch according to its view', async () => {
    const fork = chain().head;
    const aside = await mine({ upon: fork, including: 'none' });
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
  });

  it('misbehaves as configured and recovers', async () => {
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
      const end = node.misbehave(one);
      await expect(node.answer(body)).rejects.toBeInstanceOf(kind);
      end();
    }
    node.isAway = true;
    await expect(node.answer(body)).rejects.toBeInstanceOf(BrokenConnection);
    node.isAway = false;
    expect(await node.answer(body)).toEqual(good);
  });
});

async function moved(payment: Partial<Payment>) {
  pay(furnished, { to: TO, token: null, amount: 7n, ...payment });
  const transfers = transfersOf(await mine());
  return transfers.filter(({ to }) => to === TO).map(({ way, amount, index }) => [way, amount, index]);
}

describe('Reading the transfers of a simulated block', () => {
  it.each<[string, Partial<Payment>, unknown[]]>([
    ['the value of a transaction', {}, [['call', '7', 0]]],
    ['coin that a contract sends on', { way: 'inner' }, [['inner', '7', 0]]],
  ])('reads %s', async (_, payment, expected) => {
    expect(await moved(payment)).toEqual(expected);
  });

  it('reads the logs of tokens, including a token that is not an asset', async () => {
    const [usdc, worthless] = [furnished.tokens[0]!, furnished.tokens.at(-1)!];

    expect(worthless.peg).toBeNull();
    expect(await moved({ token: usdc.address })).toEqual([['log', '7', 0]]);
    expect(await moved({ token: worthless.address, way: 'twice' })).toEqual([
      ['log', '3', 2],
      ['log', '4', 3],
    ]);
  });
});

describe('Reading the settlements of a simulated block', () => {
  it('reads the events of the factory and the transfers that they made', async () => {
    const { chain, factory, payers, tokens } = furnished;
    const terms = { settlement: TO, feeRecipient: SERVICE, feeBasisPoints: 100, homeChainId: 31_337n };
    const salt = toHex(1, { size: 32 });
    const call = (functionName: string, args: unknown[]): Hex =>
      encodeFunctionData({ abi: FACTORY_ABI, functionName, args });
    const asked = { to: factory, data: call('addressOf', [terms, salt]) };
    const around = nextBlock(chain, chain.head);
    const message = messageOf(asked, around.gasLimit, 0n);
    const word = requireSuccess(await runCall(chain, message, around, chain.head.state));
    const forwarder = `0x${word.slice(26)}`;
    const token = tokens[0]!.address;
    pay(furnished, { to: forwarder, token, amount: 1_000n });
    await mine();
    const groups = [{ terms, token, undeployed: true, salts: [salt] }];
    const nonce = chain.pool.nextNonce(chain.head.state, payers[5]!.address);
    const fees = { gasLimit: 3_000_000n, maxFee: 10n ** 11n, maxTip: 1n };
    const data = call('settle', [groups, settlementGasLimits(90_000n)]);
    const unsigned = { ...fees, to: factory, value: 0n, chainId: 31_337, data, nonce };
    const { hash } = chain.take(signTransaction(unsigned, payers[5]!));
    const block = await mine();

    expect(settledIn(block, factory)).toEqual([
      { forwarder, token, toSettlement: '990', toFee: '10', transactionHash: hash },
    ]);
    expect(transfersOf(block).map(({ from, to, amount }) => [from, to, amount])).toEqual(
      expect.arrayContaining([
        [forwarder, TO, '990'],
        [forwarder, SERVICE, '10'],
      ]),
    );
  });
});
