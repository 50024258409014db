import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Hex } from 'viem';
import { RpcProxy } from '#test/support/rpc/rpc-proxy.js';
import { type Misbehaviour, refusal } from '#test/support/rpc/rpc-wire.js';
import { SECONDS_UNTIL_BUMP, GWEI, SendingWorld } from '#contexts/networks/testing/outbound-world.js';

/** Lets blocks pass that could have contained a transaction but do not, so that its fee is raised. */
async function aBumpLater(): Promise<void> {
  await world.chain.rpc('anvil_dropAllTransactions');
  await world.chain.mine(3);
  await world.platform.advance(SECONDS_UNTIL_BUMP);
}

let world: SendingWorld;
let proxy: RpcProxy;
beforeAll(async () => {
  world = await SendingWorld.open();
  proxy = await RpcProxy.before(world.chain.url);
});
beforeEach(() => proxy.behave());
afterEach(() => world.holdBlocks(false));
afterAll(async () => {
  await proxy.close();
  await world.close();
});

/** Creates a process with two endpoints: the node itself, and the same node through a proxy that changes answers. */
const beside = (privateKey: Hex) => world.process(privateKey, {}, [world.chain.url, proxy.url]);
const behind = (privateKey: Hex) => world.process(privateKey, {}, [proxy.url]);

const answers = (method: string, answer: Misbehaviour['answer']): Misbehaviour => ({
  name: method,
  methods: [method],
  ...(answer && { answer }),
});
/** Simulates a node that keeps only the state of the newest block. */
const pruned = () =>
  answers('eth_getTransactionCount', async (call, ask) =>
    call.params[1] === 'latest' ? ask(call) : refusal(-32_000, 'missing trie node'),
  );
const noReceipts = () => answers('eth_getTransactionReceipt', async () => ({ result: null }));

describe('A node that keeps no older state', () => {
  it('proves a foreign nonce only beside a node that keeps state', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, state } = behind(privateKey);
    const id = await reserve('0x01');
    await world.outside(privateKey, 0);
    await world.chain.mine(40);

    proxy.misbehave(pruned());
    await go(id);
    await go(id);
    const alone = await state(id);
    await beside(privateKey).go(id);

    const [used] = await world.transactionsOf(address);
    expect([alone, await state(id)]).toEqual(['reserved', 'foreign']);
    expect((await behind(privateKey).sender.status(id))!.response).toMatch(
      new RegExp(`^${used} used the nonce 0 in block \\d+\\.$`),
    );
  });
});

describe('An endpoint that shows no receipts, as one of many behind a name or one that keeps none so old', () => {
  it('causes no reservation of a nonce that could never be mined', async () => {
    const { privateKey } = await world.key();
    proxy.misbehave(answers('eth_getTransactionCount', async () => ({ result: '0x2a' })));
    const { reserve, sender } = beside(privateKey);

    expect((await sender.status(await reserve('0x01')))!.nonce).toBe(0);
  });

  it('does not make a mined transaction foreign, however often it is queried', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, state } = behind(privateKey);
    const id = await reserve('0x01');
    proxy.misbehave(noReceipts());
    await go(id);
    await world.chain.mine(5);

    for (let turn = 0; turn < 5; turn += 1) await go(id);
    const without = await state(id);
    proxy.behave();
    await go(id);

    expect([without, await state(id), await world.count(address)]).toEqual(['broadcast', 'final', 1]);
  });
});

describe('An endpoint that refuses the newest attempt', () => {
  it('receives the earlier attempts again, one of which is mined', async () => {
    const { privateKey } = await world.key();
    const { reserve, go, state } = behind(privateKey);
    await world.holdBlocks();
    const id = await reserve('0x01');
    await go(id);
    const [first] = await world.attempts(id);
    await aBumpLater();
    proxy.misbehave(
      answers('eth_maxPriorityFeePerGas', async () => ({ result: `0x${(9n * GWEI).toString(16)}` })),
      answers('eth_sendRawTransaction', async (call, ask) =>
        call.params[0] === `0x${first!.raw}` ? ask(call) : refusal(-32_000, 'exceeds the configured cap'),
      ),
    );

    await go(id);
    await world.chain.mine(1);
    await go(id);

    expect((await world.attempts(id)).length).toBe(2);
    expect([await state(id), (await behind(privateKey).sender.status(id))!.transactionHash]).toEqual([
      'mined',
      first!.hash,
    ]);
  });
});
