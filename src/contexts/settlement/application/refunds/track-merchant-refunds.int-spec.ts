import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OUTPUT_COIN, OUTPUT_NETWORK } from '#contexts/networks/testing/output-chain-type.js';
import { type ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { RefundsWorld, rejectionText } from '../../testing/refunds/refunds-world.js';
import { MERCHANT_REFUND_TIMEOUT_DAYS } from './track-merchant-refunds.js';
import type { RefundableRequest } from '#contexts/payments/contract/refundable-requests.js';

const PAYER = `out1${'0a'.repeat(19)}`;
const OTHER = `out1${'0b'.repeat(19)}`;
/** Number of a block that is final in these tests. */
const PAID = 5_000n;
let world: RefundsWorld;
beforeAll(async () => {
  world = await RefundsWorld.openDelivering();
});
afterAll(() => world.close());

const received = (changes: Partial<RefundableRequest> = {}) =>
  world.request(changes, { asset: OUTPUT_COIN, asked: PAID, paid: PAID });
const pay = (to: string, amount: bigint) => world.outputs.send([{ to, amount }]).id;
const mine = (blocks = 1) => {
  for (let i = 0; i < blocks; i += 1) {
    world.outputs.now += 600_000;
    world.outputs.mine();
  }
};
const follow = () => world.process().followMerchants.track(OUTPUT_NETWORK);
const named = (
  paidTransactionHash: string,
  more: { of?: ReturnType<typeof received>; amount?: string } = {},
) => world.create({ of: received(), refundToAddress: PAYER, paidTransactionHash, ...more });
const stateOf = async (id: string) => {
  const { status, failure, transactionHash } = await world.process().listed.find(world.scope, id);
  return { status, failure, transactionHash };
};

describe('A refund by the merchant’s own wallet', () => {
  it('completes when its transaction has enough confirmations', async () => {
    const hash = pay(PAYER, PAID);
    const { refund } = await named(hash.toUpperCase());
    await follow();
    const waiting = await stateOf(refund.id);
    mine(2);
    await follow();
    const shallow = await stateOf(refund.id);
    mine();
    const { reader } = world.outputChainType;
    const head = reader.head.bind(reader);
    reader.head = async () => ({ ...(await head()), finalNumber: 0 });
    await follow();
    reader.head = head;
    const notFinal = await stateOf(refund.id);
    await follow();

    expect(refund).toMatchObject({ paidBy: 'merchant', to: PAYER, approvedBy: 'credential' });
    expect([waiting, shallow, notFinal].map(({ status }) => status)).toEqual(Array(3).fill('processing'));
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

  it('waits for 100 confirmations of a coinbase transaction', async () => {
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

  it('fails if its transaction pays less to the address of the refund', async () => {
    const hash = world.outputs.send([
      { to: PAYER, amount: PAID - 2n },
      { to: OTHER, amount: PAID },
      { to: PAYER, amount: 1n },
    ]).id;
    const of = received();
    const { refund } = await named(hash, { of });
    pay(OTHER, 3n);
    mine(3);
    await follow();

    expect(await stateOf(refund.id)).toMatchObject({
      status: 'failed',
      failure: `Transaction ${hash} pays 0.00004999 OUT to the refund address, which is less than 0.00005 OUT.`,
    });
    // After a merchant's refund has failed, the same transaction can pay a new refund.
    const again = await named(hash, { of, amount: '0.00004999' });
    await follow();
    expect(await stateOf(again.refund.id)).toMatchObject({ status: 'completed' });
  });

  it('fails if its transaction pays another asset', async () => {
    const hash = pay(PAYER, PAID);
    const asset = { ...OUTPUT_COIN, token: 'another' };
    const of = world.request({}, { asset, asked: PAID, paid: PAID });
    const { refund } = await named(hash, { of });
    mine(3);
    await follow();

    expect((await stateOf(refund.id)).failure).toMatch(/pays 0 OUT to the refund address/);
  });

  it('fails if its transaction is a payment of the same request', async () => {
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
  ])('waits and shows the reason while an endpoint %s', async (_, lie) => {
    const { refund } = await named(pay(PAYER, PAID + 1n));
    mine(3);
    const { lookup } = world.outputChainType;
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

  it('fails if no node has seen its transaction for 14 days', async () => {
    const { refund } = await named('cd'.repeat(32));
    await follow();
    const waiting = await stateOf(refund.id);
    await world.platform.advance(MERCHANT_REFUND_TIMEOUT_DAYS * 86_400 + 60);
    await follow();

    expect(waiting.status).toBe('processing');
    expect((await stateOf(refund.id)).failure).toContain('within 14 days');
  });

  it('continues after a reorganization, and ignores an endpoint on a fork', async () => {
    const hash = pay(PAYER, PAID);
    const { refund } = await named(hash);
    mine(2);
    world.outputs.reorganize(2);
    world.outputs.now += 600_000;
    for (let i = 0; i < 3; i += 1) world.outputs.mine([]);
    await follow();
    const dropped = await stateOf(refund.id);
    mine(3);
    const reader = world.outputChainType.reader;
    const honest = reader.blockHeader.bind(reader);
    reader.blockHeader = async () => ({ ...(await honest(1))!, hash: 'ef'.repeat(32) });
    await follow();
    const onFork = await stateOf(refund.id);
    reader.blockHeader = honest;
    const second = world.outputChainType.secondEndpoint;
    const contents = second.contentsOfBlockRange.bind(second);
    second.contentsOfBlockRange = async (...range) => {
      const read = await contents(...range);
      return { ...read, last: { ...read.last, hash: 'ef'.repeat(32) } };
    };
    await follow();
    second.contentsOfBlockRange = contents;
    const secondOnFork = await stateOf(refund.id);
    await follow();

    expect([dropped, onFork, secondOnFork].map(({ status }) => status)).toEqual(Array(3).fill('processing'));
    expect((await stateOf(refund.id)).status).toBe('completed');
  });

  it('allows cancellation while its transaction is checked', async () => {
    const of = received();
    const { refund } = await named(pay(PAYER, PAID), { of });
    mine(3);
    const { lookup } = world.outputChainType;
    const find = lookup.find.bind(lookup);
    lookup.find = async (...asked) => {
      await world.process().cancel.cancel(world.scope, refund.id);
      return find(...asked);
    };
    const ended = await follow();
    lookup.find = find;

    expect(ended).toEqual([]);
    expect((await stateOf(refund.id)).status).toBe('failed');
    expect(await rejectionText(named(pay(PAYER, PAID), { of }))).toBe('done');
    mine(3);
    await follow();
  });
});

describe('A refund of money in the merchant’s own wallet', () => {
  it.each([
    [
      'without a transaction, with the way',
      {},
      /^refund_by_merchant: .*Send the refund from your wallet, then send/,
    ],
    ['by a claim', { refundToAddress: undefined, claim: {} }, /^refund_by_merchant/],
    [
      'to what is no address there',
      { paidTransactionHash: 'ab'.repeat(32), refundToAddress: '0x12' },
      /refund_to_address: must be out1/,
    ],
  ])('is rejected without a transaction and an address: %s', async (_, input, sentence) => {
    expect(await rejectionText(world.create({ of: received(), refundToAddress: PAYER, ...input }))).toMatch(
      sentence,
    );
  });

  it('is rejected if its transaction paid the request', async () => {
    const of = received();
    const hash = 'ef'.repeat(32);
    world.ownPayments.set(of.id, [hash]);

    expect(await rejectionText(named(hash.toUpperCase(), { of }))).toMatch(
      /^validation_failed: paid_transaction_hash: is a payment of this payment request/,
    );
    expect(await rejectionText(named(hash))).toBe('done');
  });

  it('is rejected with a transaction on a network where the refund float pays', async () => {
    const refused = world.create({ of: world.request(), paidTransactionHash: 'ab'.repeat(32) });

    expect(await rejectionText(refused)).toMatch(
      /^validation_failed: paid_transaction_hash: .*on sandbox: the refund float pays refunds on this network/,
    );
  });

  it('uses each transaction once per organization and address, even concurrently', async () => {
    const hash = 'cd'.repeat(32);

    const both = await Promise.all([rejectionText(named(hash)), rejectionText(named(hash))]);
    const toOther = await rejectionText(
      world.create({ of: received(), refundToAddress: OTHER, paidTransactionHash: hash }),
    );

    const organizationId = newId<OrganizationId>();
    await world.organization(organizationId);
    const another = received({ organizationId });
    const scope = { organizationId, accountId: null };
    const ofAnother = await rejectionText(
      world.create({ of: another, scope, refundToAddress: PAYER, paidTransactionHash: hash }),
    );

    expect(both.sort()).toEqual(['done', expect.stringMatching(/^state_conflict: .*pays another refund/)]);
    expect([toOther, ofAnother]).toEqual(['done', 'done']);
  });
});
