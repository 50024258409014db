import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Hex } from 'viem';
import { drawn } from '#test/support/drawn.js';
import { RpcProxy } from '#test/support/rpc/rpc-proxy.js';
import { hangsUp } from '#test/support/rpc/rpc-replies.js';
import { type Ask, type Misbehaviour, hex, resultOf } from '#test/support/rpc/rpc-wire.js';
import { SECONDS_UNTIL_BUMP, GWEI, SendingWorld } from '#contexts/networks/testing/outbound-world.js';

const FAR = 10 ** 10;
const word = (digit: string) => `0x${digit.repeat(64)}`;
type Fields = Record<string, unknown>;

let world: SendingWorld;
let liar: RpcProxy;
let sender: Hex;
beforeAll(async () => {
  world = await SendingWorld.open();
  liar = await RpcProxy.before(world.chain.url);
});
beforeEach(async () => {
  await world.holdBlocks();
  liar.misbehaved.clear();
});
afterEach(async () => {
  liar.behave();
  await world.mineAt(GWEI);
});
afterAll(async () => {
  await liar.close();
  await world.close();
});

const says = (method: string, result: (call: readonly unknown[], ask: Ask) => unknown): Misbehaviour => ({
  name: method,
  methods: [method],
  answer: async ({ params }, ask) => ({ result: await result(params, ask) }),
});
/** The receipt that a failed transaction in that block would have, whatever transaction is asked for. */
const failedIn = (block: number) =>
  says('eth_getTransactionReceipt', ([transactionHash]) => ({
    transactionHash,
    status: '0x0',
    blockNumber: hex(block),
    blockHash: word('f'),
    transactionIndex: '0x0',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x1',
  }));
/** The true receipt, where there is one, with other fields. */
const receiptsWith = (changes: Fields) =>
  says('eth_getTransactionReceipt', async (params, ask) => {
    const receipt = await resultOf<Fields | null>(ask, 'eth_getTransactionReceipt', params);
    return receipt && { ...receipt, ...changes };
  });
const headAt = (number: number) => [
  says('eth_blockNumber', () => hex(number)),
  says('eth_getBlockByNumber', async (params, ask) => {
    const block = await resultOf<Fields | null>(ask, 'eth_getBlockByNumber', params);
    return params[0] === 'latest' ? { ...block, number: hex(number) } : block;
  }),
];
/** A failed transaction with a block around it, its parent, and a head far above: it contradicts nothing of its own. */
const coherent = () => [
  ...headAt(FAR + 100),
  failedIn(FAR),
  says('eth_getBlockByNumber', async ([at, ...rest], ask) => {
    if (Number(at) < FAR - 1 || at === 'latest')
      return resultOf<Fields>(ask, 'eth_getBlockByNumber', [at, ...rest]);
    const own =
      Number(at) === FAR
        ? { hash: word('f'), parentHash: word('e') }
        : { hash: word('e'), parentHash: word('d') };
    const transactions = (
      await world.platform.database.query<{ hash: string }>(
        'SELECT hash FROM networks.sending_attempts ORDER BY created_at DESC, number DESC LIMIT 1',
      )
    ).map(({ hash }) => hash);
    return { ...own, number: at, timestamp: '0x1', transactions };
  }),
  says('eth_getTransactionByHash', ([hash]) => ({
    hash,
    blockHash: word('f'),
    blockNumber: hex(FAR),
    transactionIndex: '0x0',
    from: sender,
    nonce: '0x0',
  })),
];

interface Lie {
  readonly lie: string;
  readonly misbehave: () => Misbehaviour[];
  /** True if the call stays open while the endpoint lies. */
  readonly waits?: true;
}
const lying = (lie: string, misbehave: () => Misbehaviour[]): Lie => ({ lie, misbehave });
const delaying = (lie: string, misbehave: () => Misbehaviour[]): Lie => ({ lie, misbehave, waits: true });
// endpoint-account-queries.spec.ts has the receipts that contradict themselves.
const OF_RECEIPTS: readonly Lie[] = [
  delaying('that it failed', () => [receiptsWith({ status: '0x0' })]),
  delaying('that it used more gas', () => [receiptsWith({ gasUsed: '0xea60' })]),
  delaying('that it is in another block', () => [receiptsWith({ blockHash: word('f') })]),
];
const SENT_MORE = 'that the account has sent far more';
const OF_OTHERS: readonly Lie[] = [
  delaying('that it failed in a block far above the head', () => [failedIn(FAR)]),
  delaying('that it failed, with a matching head, block and transaction', coherent),
  delaying('that it is in no block', () => [says('eth_getTransactionReceipt', () => null)]),
  delaying('nothing', () => [hangsUp()]),
  delaying('that the chain has just begun', () => headAt(0)),
  lying('that the chain is far above', () => headAt(FAR)),
  lying(SENT_MORE, () => [says('eth_getTransactionCount', () => '0xffff')]),
  lying('that the account has sent nothing', () => [says('eth_getTransactionCount', () => '0x0')]),
  lying('that it took the transaction', () => [says('eth_sendRawTransaction', () => word('f'))]),
  lying('that tips are high', () => [says('eth_maxPriorityFeePerGas', () => hex(10 ** 15))]),
];
const UNFINISHED = ['reserved', 'signed', 'broadcast', 'mined'];
/** Nothing is signed for the first time under SENT_MORE: the key may have sent a call that is not stored. */
const cellsOf = (lies: readonly Lie[], states: readonly string[]) =>
  lies.flatMap((one) =>
    states
      .filter((state) => one.lie !== SENT_MORE || state !== 'reserved')
      .map((state) => ({ ...one, state })),
  );

/** @returns the sending, as far as an honest endpoint alone took it, and the process that asks the liar first */
async function reaching(state: string) {
  const { privateKey, address } = await world.key();
  sender = address.toLowerCase() as Hex;
  const honest = world.process(privateKey);
  const beside = world.process(privateKey, {}, [liar.url, world.chain.url]);
  const id = await honest.reserve('0x01');
  while ((await honest.state(id)) !== state) {
    if (state === 'mined') await world.chain.mine(1);
    await honest.step(id);
  }
  return { ...beside, id, address };
}

// `npm run evidence -- sending-beside-a-liar` plays every lie in every state.
describe('An outbound transaction', () => {
  it.each(drawn(cellsOf([...OF_RECEIPTS, ...OF_OTHERS], UNFINISHED), 12))(
    'is broadcast and ends with its true outcome if it is $state and an endpoint says $lie',
    async ({ state, misbehave, waits }) => {
      const sending = await reaching(state);
      const { id, address, go } = sending;
      liar.misbehave(...misbehave());
      if (state === 'mined') await world.chain.rpc('anvil_reorg', [1, []]);
      await world.chain.rpc('anvil_dropAllTransactions');

      await go(id);
      await go(id);
      const waiting = await sending.state(id);
      const pooled = await world.pooled();
      await world.chain.mine(4);
      await go(id);
      await go(id);
      const beside = await sending.state(id);
      const named = (await sending.sender.status(id))!.response;
      liar.behave();
      await go(id);

      expect([UNFINISHED.includes(waiting), pooled]).toEqual([true, 1]);
      expect(UNFINISHED.includes(beside) ? 'waits' : beside).toBe(waits ? 'waits' : 'final');
      if (waits)
        expect([liar.misbehaved.size > 0, named]).toEqual([
          true,
          expect.stringContaining('endpoint 1 (127.0.0.1'),
        ]);
      const [attempt, ...more] = await world.attempts(id);
      expect([more, await world.count(address)]).toEqual([[], 1]);
      const { gasUsed, effectiveGasPrice } = await world.chain.rpc<{
        gasUsed: Hex;
        effectiveGasPrice: Hex;
      }>('eth_getTransactionReceipt', [attempt!.hash]);
      expect(await sending.sender.status(id)).toMatchObject({
        state: 'final',
        transactionHash: attempt!.hash,
        succeeded: true,
        gasCost: BigInt(gasUsed) * BigInt(effectiveGasPrice),
      });
    },
  );

  it(`waits unsigned while an endpoint says ${SENT_MORE}`, async () => {
    const { id, go, state, address } = await reaching('reserved');
    liar.misbehave(says('eth_getTransactionCount', () => '0xffff'));
    await go(id);
    const held = [await state(id), (await world.attempts(id)).length];

    liar.behave();
    await go(id);
    await world.chain.mine(4);
    await go(id);

    expect(held).toEqual(['reserved', 0]);
    expect([await state(id), await world.count(address)]).toEqual(['final', 1]);
  });

  it.each(drawn(cellsOf(OF_OTHERS, ['reserved', 'broadcast']), 4))(
    'is offered the higher fee that honest endpoints suggest if it is $state and an endpoint says $lie',
    async ({ state: from, misbehave }) => {
      const { id, go, address, state } = await reaching(from);
      liar.misbehave(...misbehave());
      await go(id);

      await world.mineAt(20n * GWEI, 3);
      await world.platform.advance(SECONDS_UNTIL_BUMP);
      await go(id);
      const attempts = await world.attempts(id);
      liar.behave();
      await world.mineAt(GWEI, 4);
      await go(id);

      expect(attempts).toHaveLength(2);
      expect(attempts[1]!.priorityFee).toBeLessThan(3n * GWEI);
      expect([await state(id), await world.count(address)]).toEqual(['final', 1]);
    },
  );

  it('is not broadcast again after its end if an endpoint has forgotten the account', async () => {
    const { privateKey } = await world.key();
    const honest = world.process(privateKey);
    const [finished, next] = [await honest.reserve('0x01'), await honest.reserve('0x02')];
    for (const id of [finished, next]) await honest.go(id);
    await world.chain.mine(4);
    await honest.go(finished);
    const [{ raw } = { raw: '' }] = await world.attempts(finished);
    const given: unknown[] = [];
    liar.misbehave(
      says('eth_getTransactionCount', () => '0x0'),
      says('eth_getTransactionReceipt', () => null),
      says('eth_sendRawTransaction', ([bytes]) => (given.push(bytes), word('f'))),
    );

    await world.process(privateKey, {}, [liar.url, world.chain.url]).go(next);

    expect([await honest.state(finished), given.length, given.includes(`0x${raw}`)]).toEqual([
      'final',
      1,
      false,
    ]);
  });
});
