import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OUTPUT_COIN, OUTPUT_NETWORK, OutputFamily } from '#contexts/networks/testing/output-family.js';
import { type ChainTransfer, ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { RefundsWorld } from '../../testing/refunds/refunds-world.js';
import { UNSEEN_DAYS } from './follow-merchant-refunds.js';

const PAYER = `out1${'0a'.repeat(19)}`;
const OTHER = `out1${'0b'.repeat(19)}`;
/** Final with three confirmations. */
const PAID = 5_000n;

let world: RefundsWorld;
beforeAll(async () => {
  world = await RefundsWorld.openDelivering();
});
afterAll(() => world.close());

const received = () => world.request({}, { asset: OUTPUT_COIN, asked: PAID, paid: PAID });
const pay = (to: string, amount: bigint) => world.outputs.send([{ to, amount }]).id;
const mine = (blocks = 1) => {
  for (let i = 0; i < blocks; i += 1) {
    world.outputs.now += 600_000;
    world.outputs.mine();
  }
};
const follow = () => world.process().followMerchants.execute(OUTPUT_NETWORK);
const named = (
  paidTransactionHash: string,
  more: { of?: ReturnType<typeof received>; amount?: string } = {},
) => world.create({ of: received(), refundToAddress: PAYER, paidTransactionHash, ...more });
const stateOf = async (id: string) => {
  const { status, failure, transactionHash } = await world.process().listed.find(world.scope, id);
  return { status, failure, transactionHash };
};
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );

describe('A refund by the merchant’s own wallet', () => {
  it('is completed once its transaction is as deep as the amount asks for, and pays it', async () => {
    const hash = pay(PAYER, PAID);
    const { refund } = await named(hash.toUpperCase());
    await follow();
    const waiting = await stateOf(refund.id);
    mine(2);
    await follow();
    const shallow = await stateOf(refund.id);
    mine();
    await follow();

    expect(refund).toMatchObject({ paidBy: 'merchant', to: PAYER, approvedBy: 'credential' });
    expect([waiting.status, shallow.status]).toEqual(['processing', 'processing']);
    expect(await stateOf(refund.id)).toMatchObject({ status: 'completed', transactionHash: hash });
    const events = (await world.events('refund.status_changed')).filter(
      (each) => each.aggregateId === refund.id,
    );
    expect(events.map(({ data: { status, paidBy, from } }) => [status, paidBy, from])).toEqual([
      ['pending', 'merchant', 'unknown'],
      ['processing', 'merchant', 'unknown'],
      ['completed', 'merchant', 'unknown'],
    ]);
    expect(
      await world.rows('SELECT 1 FROM settlement.refund_floats WHERE network = $1', [OUTPUT_NETWORK]),
    ).toEqual([]);
  });

  it('waits for 100 confirmations where its transaction is a coinbase', async () => {
    const hash = '0c'.repeat(32);
    const outputs = [{ to: PAYER, amount: PAID }];
    world.outputs.mine([{ id: hash, spends: [], outputs, sentAt: world.outputs.now }]);
    const { refund } = await named(hash);
    mine(98);
    await follow();
    const { status } = await stateOf(refund.id);
    mine();
    await follow();

    expect([status, (await stateOf(refund.id)).status]).toEqual(['processing', 'completed']);
  });

  it('fails where its transaction pays less to that address, whatever it pays to others', async () => {
    const hash = world.outputs.send([
      { to: PAYER, amount: PAID - 2n },
      { to: OTHER, amount: PAID },
      { to: PAYER, amount: 1n },
    ]).id;
    const of = received();
    const { refund } = await named(hash, { of });
    mine(3);
    await follow();

    expect(await stateOf(refund.id)).toMatchObject({
      status: 'failed',
      failure: `Transaction ${hash} pays 0.00004999 OUT to the refund address, which is less than 0.00005 OUT.`,
    });
    // What failed can be refunded anew, also by the same transaction.
    const again = await named(hash, { of, amount: '0.00004999' });
    await follow();
    expect(await stateOf(again.refund.id)).toMatchObject({ status: 'completed' });
  });

  it('fails where its transaction pays the request too, and not where it pays another request', async () => {
    const of = received();
    world.ownPayments.set(of.id, [OTHER]);
    const both = world.outputs.send([
      { to: OTHER, amount: 1n },
      { to: PAYER, amount: 2n * PAID },
    ]).id;
    const { refund } = await named(both, { of });
    mine(3);
    await follow();
    const ofAnother = await named(both);
    await follow();

    expect(await stateOf(refund.id)).toMatchObject({
      status: 'failed',
      failure: `Transaction ${both} is a payment of this payment request, not a refund.`,
    });
    expect(await stateOf(ofAnother.refund.id)).toMatchObject({ status: 'completed' });
  });

  it.each([
    ['leaves outputs out', () => []],
    ['makes outputs up', (all: readonly ChainTransfer[]) => all.map((each) => ({ ...each, amount: PAID }))],
  ])('waits, and says why, while an endpoint %s that the second one shows', async (_, lie) => {
    const { refund } = await named(pay(PAYER, PAID + 1n));
    mine(3);
    const { lookup } = world.outputFamily;
    const find = lookup.find.bind(lookup);
    lookup.find = async (...asked) => {
      const found = await find(...asked);
      return found === 'unknown' ? found : { ...found, transfers: lie(found.transfers) };
    };
    const [looked] = await follow();
    lookup.find = find;
    const waiting = await stateOf(refund.id);
    await follow();

    expect(looked!.unavailable).toMatch(/return different outputs of/);
    expect(waiting.status).toBe('processing');
    expect((await stateOf(refund.id)).status).toBe('completed');
  });

  it('fails where its transaction pays another address alone', async () => {
    const { refund } = await named(pay(OTHER, PAID));
    mine(3);
    await follow();

    expect((await stateOf(refund.id)).failure).toContain('pays 0 OUT to the refund address');
  });

  it('fails after 14 days in which no node showed its transaction', async () => {
    const { refund } = await named('cd'.repeat(32));
    await follow();
    const waiting = await stateOf(refund.id);
    await world.platform.advance(UNSEEN_DAYS * 86_400 + 60);
    await follow();

    expect(waiting.status).toBe('processing');
    expect((await stateOf(refund.id)).failure).toContain('within 14 days');
  });

  it('goes on where a reorganisation has dropped its block, and once an endpoint leaves the fork that shows it', async () => {
    const hash = pay(PAYER, PAID);
    const { refund } = await named(hash);
    mine(2);
    world.outputs.reorganise(2);
    world.outputs.now += 600_000;
    for (let i = 0; i < 3; i += 1) world.outputs.mine([]);
    await follow();
    const dropped = await stateOf(refund.id);
    mine(3);
    const reader = world.outputFamily.reader;
    const honest = reader.block.bind(reader);
    reader.block = async () => ({ ...(await honest(OUTPUT_NETWORK, 1))!, hash: 'ef'.repeat(32) });
    await follow();
    const onFork = await stateOf(refund.id);
    reader.block = honest;
    await follow();

    expect([dropped.status, onFork.status]).toEqual(['processing', 'processing']);
    expect((await stateOf(refund.id)).status).toBe('completed');
  });

  it('can be cancelled until then, also while its chain is asked, and is not counted any more', async () => {
    const of = received();
    const { refund } = await named(pay(PAYER, PAID), { of });
    mine(3);
    const { lookup } = world.outputFamily;
    const find = lookup.find.bind(lookup);
    lookup.find = async (...asked) => {
      await world.process().cancel.execute(world.scope, refund.id);
      return find(...asked);
    };
    const ended = await follow();
    lookup.find = find;

    expect(ended).toEqual([]);
    expect((await stateOf(refund.id)).status).toBe('failed');
    expect(await refusal(named(pay(PAYER, PAID), { of }))).toBe('done');
    mine(3);
    await follow();
  });

  it('waits, and says so, while its chain cannot be asked', async () => {
    const { refund } = await named(pay(PAYER, PAID));
    mine(3);
    world.outputFamily.secondEndpoint.contents = () =>
      Promise.reject(new ChainUnavailable(OUTPUT_NETWORK, 'its block is gone.'));
    const [looked] = await follow();
    expect(looked).toMatchObject({
      refund: { id: refund.id },
      unavailable: expect.stringContaining('is gone'),
    });
    world.outputFamily = new OutputFamily(world.outputs);
    await follow();

    expect((await stateOf(refund.id)).status).toBe('completed');
  });
});
