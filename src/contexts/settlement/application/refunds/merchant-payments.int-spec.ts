import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OUTPUT_COIN, OUTPUT_NETWORK } from '#contexts/networks/testing/output-family.js';
import type { RefundableRequest } from '#contexts/payments/contract/refundable-requests.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { RefundsWorld } from '../../testing/refunds/refunds-world.js';
import { OpenOrganizationFloat } from './floats/open-organization-float.js';

const PAYER = `out1${'0a'.repeat(19)}`;
const OTHER = `out1${'0b'.repeat(19)}`;
const PAID = 5_000n;

let world: RefundsWorld;
beforeAll(async () => {
  world = await RefundsWorld.openDelivering();
});
afterAll(() => world.close());

const received = (changes: Partial<RefundableRequest> = {}) =>
  world.request(changes, { asset: OUTPUT_COIN, asked: PAID, paid: PAID });
const named = (paidTransactionHash: string, of = received()) =>
  world.create({ of, refundToAddress: PAYER, paidTransactionHash });
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );

describe('A refund of what the merchant’s own wallet received', () => {
  it.each([
    [
      'without a transaction, with the way',
      {},
      /^refund_by_merchant: .*Send the refund from your wallet, then send/,
    ],
    ['by a claim', { refundToAddress: undefined, claim: {} }, /^refund_by_merchant/],
    ['by what is no transaction', { paidTransactionHash: '0x12' }, /paid_transaction_hash: must be 64/],
    [
      'to nobody',
      { paidTransactionHash: 'ab'.repeat(32), refundToAddress: undefined },
      /refund_to_address: is required/,
    ],
    [
      'to what is no address there',
      { paidTransactionHash: 'ab'.repeat(32), refundToAddress: '0x12' },
      /refund_to_address: must be out1/,
    ],
  ])('is refused %s', async (_, input, sentence) => {
    expect(await refusal(world.create({ of: received(), refundToAddress: PAYER, ...input }))).toMatch(
      sentence,
    );
  });

  it('is refused by a transaction that has paid the request, whose change went back to the payer', async () => {
    const of = received();
    const hash = 'ef'.repeat(32);
    world.ownPayments.set(of.id, [hash]);

    expect(await refusal(named(hash.toUpperCase(), of))).toMatch(
      /^validation_failed: paid_transaction_hash: is a payment of this payment request/,
    );
    expect(await refusal(named(hash))).toBe('done');
  });

  it('has no float to be opened', async () => {
    const { floats } = world.process();
    const open = new OpenOrganizationFloat(world.catalogue, floats, world.chain.sender);

    expect(await refusal(open.execute(world.organizationId, OUTPUT_NETWORK))).toMatch(
      /network: has no refund floats/,
    );
  });

  it('is refused by a transaction where the float pays', async () => {
    const refused = world.create({ of: world.request(), paidTransactionHash: 'ab'.repeat(32) });

    expect(await refusal(refused)).toMatch(
      /^validation_failed: paid_transaction_hash: .*on sandbox: the refund float pays refunds on this network/,
    );
  });

  it('is paid by its own transaction: one pays one refund of its organization to one address, of two at once too', async () => {
    const hash = 'cd'.repeat(32);

    const both = await Promise.all([refusal(named(hash)), refusal(named(hash))]);
    const toOther = await refusal(
      world.create({ of: received(), refundToAddress: OTHER, paidTransactionHash: hash }),
    );

    const organizationId = newId<OrganizationId>();
    await world.organization(organizationId);
    const another = received({ organizationId });
    const scope = { organizationId, accountId: null };
    const ofAnother = await refusal(
      world.create({ of: another, scope, refundToAddress: PAYER, paidTransactionHash: hash }),
    );

    expect(both.sort()).toEqual(['done', expect.stringMatching(/^state_conflict: .*pays another refund/)]);
    expect([toOther, ofAnother]).toEqual(['done', 'done']);
  });
});
