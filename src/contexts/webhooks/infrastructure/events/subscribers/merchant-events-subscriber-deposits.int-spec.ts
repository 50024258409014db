import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import {
  creditReversed,
  depositReceived,
  refundChanged,
  settlementChanged,
  statusChanged,
} from '#contexts/webhooks/testing/payment-events.js';
import {
  ALL,
  redeliveryFixture,
  type RedeliveryFixture,
} from '#contexts/webhooks/testing/redelivery-fixture.js';
import { statementsOf } from '#contexts/webhooks/testing/statements-of.js';
import { WEBHOOK_EVENT_TYPES } from '#contexts/webhooks/domain/registration/webhook.js';
import { MERCHANT_EVENTS_SUBSCRIBER } from '../persistence/postgres-merchant-events.js';

let fixture: RedeliveryFixture;
beforeEach(async () => {
  fixture = await redeliveryFixture();
});
afterEach(() => fixture.close());

interface SentBody {
  data: Record<string, string>;
}
const recorded = () =>
  fixture.rows<{ id: string; eventType: string; paymentRequestId: string | null; body: string }>(
    'SELECT id, event_type, payment_request_id, body FROM webhooks.events ORDER BY number',
  );
/** Paid, then more that came too late, of which all and of the payment a part disappears. */
const history = (order: string) => [
  statusChanged(fixture.account, { status: 'processing' }, order),
  statusChanged(fixture.account, { status: 'completed' }, order),
  depositReceived(fixture.account, { referenceId: 'order-7', reason: 'late' }, order),
  creditReversed(fixture.account, { postedAs: 'deposit', before: '5000000', after: '0' }, order),
  creditReversed(fixture.account, { transactionHash: undefined }, order),
];

describe('Refunds', () => {
  it('are published by webhook and log alike, byte for byte, and to webhooks for payments not at all', async () => {
    const [payments, refunds] = [
      await fixture.register(fixture.account, fixture.shop.url, 'payment_request'),
      await fixture.register(fixture.account, fixture.shop.url, 'refund'),
    ];
    const [refund, order] = [newId<string>(), newId<string>()];

    await fixture.happen(
      ...(['pending', 'processing', 'completed'] as const).map((status) =>
        refundChanged(fixture.account, status, refund, order),
      ),
      refundChanged(fixture.account, 'failed'),
    );

    const events = await recorded();
    expect(events.map(({ eventType }) => eventType)).toEqual(['refund', 'refund', 'refund']);
    expect(events[1]).toMatchObject({ paymentRequestId: order });
    expect((JSON.parse(events[1]!.body) as SentBody).data).toEqual({
      notification_type: 'refund_status_update',
      ...{ refund_id: refund, payment_request_id: order, status: 'completed' },
      ...{ account_id: fixture.account.accountId, point_of_sale_id: expect.any(String) },
    });
    const deliveries = await fixture.rows<{ webhookId: string; body: string }>(
      'SELECT webhook_id, body FROM webhooks.deliveries ORDER BY id',
    );
    expect(deliveries.map(({ body }) => body)).toEqual(events.map(({ body }) => body));
    expect(new Set(deliveries.map(({ webhookId }) => webhookId))).toEqual(new Set([refunds.id]));
    expect(await fixture.replay(payments.id)).toBe(0);
  });
});

describe('Settlements in a merchant’s log', () => {
  it('stand there once they have ended, with what was delivered, and of no payment request', async () => {
    const [settled, removed] = [newId<string>(), newId<string>()];

    await fixture.happen(
      settlementChanged(fixture.account, 'processing', settled),
      settlementChanged(fixture.account, 'processing', removed),
      settlementChanged(fixture.account, 'failed', removed),
      settlementChanged(fixture.account, 'completed', settled),
    );

    const events = await recorded();
    expect(events.map(({ eventType, paymentRequestId }) => [eventType, paymentRequestId])).toEqual([
      ['settlement', null],
      ['settlement', null],
    ]);
    const [failed, completed] = events.map(({ body }) => (JSON.parse(body) as SentBody).data);
    expect(failed).toMatchObject({ settlement_id: removed, status: 'failed' });
    expect(completed).toEqual({
      notification_type: 'settlement_status_update',
      settlement_id: settled,
      status: 'completed',
      account_id: fixture.account.accountId,
      ...{ amount: '24.75', fee_amount: '0.25', currency: 'USDC', network: 'polygon', payment_count: 1 },
      unique_asset_id: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
      settlement_address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
      transaction_hash: expect.any(String),
    });
  });

  it('reach no webhook, by no replay either', async () => {
    const ids = [];
    for (const type of WEBHOOK_EVENT_TYPES)
      ids.push((await fixture.register(fixture.account, fixture.shop.url, type)).id);

    await fixture.happen(settlementChanged(fixture.account, 'completed'));
    const replayed = [];
    for (const id of ids) replayed.push(await fixture.replay(id));

    expect(replayed).toEqual(ids.map(() => 0));
    expect(await fixture.rows('SELECT FROM webhooks.deliveries')).toEqual([]);
  });
});

describe('Deposits and reversals in a merchant’s log', () => {
  it('stand behind the statuses of their payment request, with their amounts', async () => {
    const order = newId<string>();

    await fixture.happen(...history(order));

    const events = await recorded();
    expect(events.map(({ eventType }) => eventType)).toEqual([
      ...['payment_request', 'payment_request', 'deposit', 'adjustment', 'adjustment'],
    ]);
    expect(new Set(events.map(({ paymentRequestId }) => paymentRequestId))).toEqual(new Set([order]));
    const [, , deposit, reversed, part] = events.map(({ body }) => (JSON.parse(body) as SentBody).data);
    expect(deposit).toMatchObject({
      notification_type: 'payment_request_deposit',
      payment_request_id: order,
      external_reference_id: 'order-7',
      account_id: fixture.account.accountId,
      ...{ amount: '5', currency: 'USDC', network: 'polygon', reason: 'late' },
      address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      transaction_hash: expect.any(String),
    });
    expect(reversed).toMatchObject({ amount: '-5', remaining_amount: '0', reverses: 'deposit' });
    expect(part).toMatchObject({ amount: '-9', remaining_amount: '1', reverses: 'payment_in' });
    expect(part).not.toHaveProperty('transaction_hash');
    for (const data of [deposit, reversed, part]) expect(data).not.toHaveProperty('status');
  });

  it('are recorded once, also when they are read again or by another process', async () => {
    await fixture.happen(...history(newId()));
    const before = await recorded();

    await fixture.rows(
      `UPDATE platform.subscriber_positions SET transaction_id = '0', position = 0 WHERE subscriber = $1`,
      [MERCHANT_EVENTS_SUBSCRIBER],
    );
    await Promise.all([fixture.eventsRunner().turn(), fixture.eventsRunner().turn()]);
    await fixture.happen();

    expect(await recorded()).toEqual(before);
  });

  it('take one statement together with the statuses among them', async () => {
    const statements = await statementsOf(fixture.platform, () =>
      fixture.happen(...Array.from({ length: 30 }, () => history(newId())).flat()),
    );

    expect(statements.filter((text) => text.includes('INTO webhooks.events'))).toHaveLength(1);
  });

  it('reach no webhook, whatever it is registered for', async () => {
    for (const type of WEBHOOK_EVENT_TYPES) await fixture.register(fixture.account, fixture.shop.url, type);

    await fixture.happen(...history(newId()));

    expect(
      await fixture.rows('SELECT body::jsonb -> $1 ->> $2 AS status FROM webhooks.deliveries', [
        'data',
        'status',
      ]),
    ).toEqual([{ status: 'processing' }, { status: 'completed' }]);
  });

  it.each([
    ['payment_request', 2],
    ['incoming_transfer', 0],
    ['refund', 0],
  ] as const)('are in no replay to a webhook for %s', async (type, statuses) => {
    await fixture.happen(...history(newId()));
    const { id } = await fixture.register(fixture.account, fixture.shop.url, type);
    const counted = await fixture.redeliveries.count(await fixture.webhooks.find(fixture.account, id), ALL);

    const replayed = await fixture.replay(id);

    expect([counted, replayed]).toEqual([statuses, statuses]);
    expect(await fixture.rows('SELECT DISTINCT event_type FROM webhooks.deliveries')).toEqual(
      statuses === 0 ? [] : [{ eventType: 'payment_request' }],
    );
  });

  it('cannot become deliveries, by any way', async () => {
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.happen(depositReceived(fixture.account));

    const smuggled = fixture.rows(
      `INSERT INTO webhooks.deliveries
         (id, organization_id, account_id, webhook_id, event_id, event_type, payment_request_id, body)
       SELECT gen_random_uuid(), organization_id, account_id, $1, id, event_type, payment_request_id, body
       FROM webhooks.events`,
      [id],
    );

    await expect(smuggled).rejects.toThrow('deliveries_event_type_check');
  });
});
