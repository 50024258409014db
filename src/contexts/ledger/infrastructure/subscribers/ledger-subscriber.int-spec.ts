import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import type { ConfirmedPayment } from '../../domain/payment-in.js';
import { confirmedPayment, receivedDeposit, reversalOf } from '../../testing/movements.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';

const UNPOSTED = [
  'ledger-confirmed-posted-once',
  'ledger-deposits-posted-once',
  'ledger-reversals-posted-once',
];

describe('The ledger listening to payments', () => {
  let ledger: TestLedger;
  beforeEach(async () => {
    // A parked event is logged as an error, which here is the expected outcome.
    Logger.overrideLogger(false);
    ledger = await openLedger();
  });
  afterEach(() => ledger.close(['nothing-is-parked', ...UNPOSTED]));

  const count = async (table: string) =>
    (await ledger.database.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]!.n;

  it('posts every confirmed payment once while several processes listen', async () => {
    const organizationId = newId<OrganizationId>();
    const payments = Array.from({ length: 450 }, () =>
      confirmedPayment({ organizationId, feeBasisPoints: 100 }),
    );
    await ledger.happen(payments);

    await ledger.untilRead(ledger.runner(), ledger.runner());

    expect(await count('ledger.transactions')).toBe(450);
    expect(await count('platform.parked_events')).toBe(0);
    expect(await ledger.breaches()).toEqual({});
  });

  it('posts payments, deposits and reversals in the order of their events', async () => {
    const owner = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };
    const payment = confirmedPayment({ ...owner, referenceId: 'order-7' });
    const deposit = receivedDeposit({ ...owner, paymentRequestId: payment.paymentRequestId });
    const movements = [payment, reversalOf(payment, { after: 1n }), deposit, reversalOf(deposit)];
    await ledger.happen(movements);

    await ledger.untilRead(ledger.runner());

    const { items, total } = await ledger.queries.page(owner, { created: {} }, { page: 1, pageSize: 5 });
    expect(total).toBe(4);
    expect(items.map(({ type, grossAmount }) => [type, grossAmount])).toEqual([
      ['adjustment', -4_000_000n],
      ['deposit', 4_000_000n],
      ['adjustment', -9_999_999n],
      ['payment_in', 10_000_000n],
    ]);
  });

  it('shows addresses in EIP-55', async () => {
    await ledger.happen([
      confirmedPayment({
        from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
        to: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
      }),
    ]);

    await ledger.untilRead(ledger.runner());

    expect(await ledger.database.query('SELECT from_address, to_address FROM ledger.transactions')).toEqual([
      {
        fromAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        toAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      },
    ]);
  });

  it('sets one impossible fact aside, posts the others and reports it by its invariants', async () => {
    const impossible = confirmedPayment({ receivedAmount: 0n });
    const owner = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };
    const good: ConfirmedPayment[] = [confirmedPayment(owner), confirmedPayment(owner)];
    await ledger.happen([good[0]!, impossible, good[1]!]);

    await ledger.untilRead(ledger.runner());

    expect(
      await ledger.database.query(
        'SELECT payment_request_id FROM ledger.transactions ORDER BY account_sequence',
      ),
    ).toEqual(good.map(({ paymentRequestId }) => ({ paymentRequestId })));
    const breaches = await ledger.breaches();
    expect(Object.keys(breaches)).toEqual(['ledger-confirmed-posted-once']);
    expect(breaches['ledger-confirmed-posted-once']).toMatchObject([
      { paymentRequestId: impossible.paymentRequestId, count: 0 },
    ]);
  });

  it('allows a fact a minute on its way, and no more', async () => {
    const deposit = receivedDeposit();
    await ledger.happen([confirmedPayment(), deposit, reversalOf(deposit)]);
    expect(await ledger.breaches()).toEqual({});

    await ledger.advance(61);

    expect(Object.keys(await ledger.breaches())).toEqual(UNPOSTED);
  });
});
