import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { RefundableRequest } from '#contexts/payments/contract/refundable-requests.js';
import { PAYMENT_REVERSED_MESSAGE } from '../../domain/refunds/refund-refusals.js';
import { floatTransactionsInvariants } from '../../infrastructure/refunds/persistence/float-transactions-invariants.js';
import { NETWORK, PAYER, RefundsWorld } from '../../testing/refunds/refunds-world.js';

const { breaches } = floatTransactionsInvariants.find(
  ({ name }) => name === 'reversed-payments-are-not-refunded',
)!;

let world: RefundsWorld;
beforeEach(async () => {
  world = await RefundsWorld.open();
  await world.fund();
});
// The reversals in this test have no stored transfers or events, so these invariants are not checked.
afterEach(() => world.close(['reversed-money-is-held', 'one-event-for-each-reversal']));

const refunds = () =>
  world.rows<{ amount: bigint; status: string; failure: string | null }>(
    'SELECT amount, status, failure FROM settlement.refunds ORDER BY created_at, id',
  );
const REVERSED = { status: 'failed', failure: PAYMENT_REVERSED_MESSAGE };

async function claimed(of: RefundableRequest): Promise<string> {
  const { refund, claim } = await world.create({ of, claim: {} });
  await world.process().claim.claim({ claim: claim!, refundToAddress: PAYER, confirmed: true });
  return refund.id;
}

const approve = (id: string) => world.process().approve.approve({ scope: world.scope, id, by: 'credential' });

describe('A refund whose payment is reversed', () => {
  it('is not approved, and fails', async () => {
    const request = world.request();
    const id = await claimed(request);
    await world.reverse(request, 9_999_999n);

    await expect(approve(id)).rejects.toMatchObject({
      code: 'state_conflict',
      message: expect.stringContaining('The payment was reversed'),
    });
    await world.turn();

    expect(await refunds()).toMatchObject([REVERSED]);
    expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n });
  });

  it('stays pending if the remaining payment covers it exactly', async () => {
    const request = world.request();
    const { refund } = await world.create({ of: request, amount: '4', claim: {} });
    await world.reverse(request, 4_000_000n);

    await world.turn();

    expect(await world.status(refund.id)).toBe('pending');
  });

  it('is not approved if the reversal is recorded during the simulation of its transfer', async () => {
    const request = world.request();
    const id = await claimed(request);
    const { planning } = world.chain;
    world.sending = {
      sender: world.chain.sender,
      planning: Object.assign(Object.create(planning) as typeof planning, {
        plan: async (...order: Parameters<typeof planning.plan>) => {
          await world.reverse(request, 0n);
          return planning.plan(...order);
        },
      }),
    };

    await expect(approve(id)).rejects.toThrow('The payment was reversed');
    await expect(world.create({ of: world.requests.get(request.id)! })).rejects.toThrow(DomainError);
  });

  it('is held before a nonce is reserved, and then fails', async () => {
    const request = world.request();
    await world.create({ of: request });
    await world.reverse(request, 0n);

    await world.process().advance.advance(NETWORK);
    expect(world.chain.orders).toEqual([]);
    expect(await world.rows('SELECT status, held FROM settlement.refund_float_payouts')).toEqual([
      { status: 'processing', held: expect.stringContaining('The payment was reversed') },
    ]);
    await world.turn();

    expect(world.chain.orders).toEqual([]);
    expect(await refunds()).toMatchObject([REVERSED]);
    expect((await world.events('refund.status_changed')).at(-1)!.data).toMatchObject({ status: 'failed' });
    expect(await world.holding(world.token.token)).toMatchObject({ reserved: 0n });
  });

  it('fails, newest first, until the remaining payment covers the others, except those with a nonce', async () => {
    const request = world.request();
    await world.create({ of: request, amount: '3' });
    await world.turn();
    await world.create({ of: request, amount: '4' });
    await world.create({ of: request, amount: '2' });
    await world.create({ of: request, amount: '1', claim: {} });
    await world.reverse(request, 7_000_000n);

    for (let i = 0; i < 4; i += 1) await world.turn();
    expect(await refunds()).toMatchObject([
      { amount: 3_000_000n, status: 'processing' },
      { amount: 4_000_000n, status: 'processing' },
      { amount: 2_000_000n, ...REVERSED },
      { amount: 1_000_000n, ...REVERSED },
    ]);
    expect(world.chain.orders).toHaveLength(2);
    await world.reverse(request, 0n);
    for (let i = 0; i < 3; i += 1) await world.turn();

    expect((await refunds()).filter(({ status }) => status === 'processing')).toHaveLength(2);
  });
});

describe('The invariant of reversed payments', () => {
  it.each([
    ['reports a refund that was signed two minutes after the reversal', 120, '0', 1],
    ['reports none that was signed before it', -120, '0', 0],
    ['reports none that what is left covers', 120, '10000000', 0],
  ])('%s', async (_, secondsBefore, after, expected) => {
    const request = world.request();
    await world.create({ of: request });
    await world.turn();
    const undone = new Error('undone');
    const event = (type: string, data: object, seconds: number) =>
      world.rows(
        `INSERT INTO platform.events (transaction_id, id, type, aggregate_id, organization_id, account_id, occurred_at, data)
         SELECT pg_current_xact_id(), gen_random_uuid(), $1, $2, $3, $4, sent_at - make_interval(secs => $5), $6
         FROM settlement.refund_float_payouts`,
        [type, request.id, world.organizationId, world.accountId, seconds, data],
      );
    const { uniqueAssetId } = world.token;

    const tampering = world.platform.database.run(async () => {
      await event('payment_request.confirmed', { uniqueAssetId, receivedAmount: '10000000' }, 600);
      const reversed = { uniqueAssetId, before: '10000000', after };
      await event('payment_request.credit_reversed', reversed, secondsBefore);
      expect(await world.rows(breaches)).toHaveLength(expected);
      throw undone;
    });

    await expect(tampering).rejects.toBe(undone);
  });
});
