import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type DeliveryId } from '#shared/kernel/ids.js';
import {
  acceptedAsPaid,
  newAccount,
  creditReversed,
  depositReceived,
  incomingTransferChanged,
  settlementChanged,
  statusChanged,
  subscriptionChanged,
} from '../testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { webhooksFixture } from '../testing/webhooks-fixture.js';
import { startReceiver } from '../testing/receiver.js';

const UNPOSTED = [
  'ledger-deposits-posted-once',
  'ledger-reversals-posted-once',
  'ledger-settlements-are-followed',
];
const account = newAccount();
const [order, other, settlement] = [newId<string>(), newId<string>(), newId<string>()];
const subscription = newId<string>();

let platform: TestPlatform;
let fixture: ReturnType<typeof webhooksFixture>;

/**
 * Creates two webhooks, one of them failing, a deposit, a reversal, a test message, and a replay with a waiting
 * delivery.
 */
beforeAll(async () => {
  platform = await openTestDatabase();
  fixture = webhooksFixture(platform);
  const shop = await startReceiver();
  shop.answer = (request, response) => response.writeHead(request.url === '/hooks' ? 200 : 500).end();
  const { id } = await fixture.register(account, shop.url);
  await fixture.register(account, shop.url.replace('hooks', 'down'));
  const worker = fixture.startWorker();
  await fixture.happen(
    statusChanged(account, { status: 'processing' }, order),
    statusChanged(account, { status: 'completed' }, order),
    statusChanged(account, { status: 'expired' }, other),
    acceptedAsPaid(account),
    incomingTransferChanged(account, 'processing', order),
    depositReceived(account, {}, order),
    creditReversed(account, { postedAs: 'deposit', before: '5000000', after: '1' }, order),
    settlementChanged(account, 'processing', settlement),
    settlementChanged(account, 'completed', settlement),
    subscriptionChanged(account, { status: 'pending', expiresAt: '2027-02-01T10:00:00.000Z' }, subscription),
    subscriptionChanged(account, { walletExternalId: 'wallet-1' }, subscription),
  );
  await eventually(async () => (await fixture.rows('SELECT FROM webhooks.delivery_attempts')).length === 6);
  await worker.stop();
  await shop.close();
  const webhook = await fixture.webhooks.find(account, id);
  const range = { from: new Date(0), to: new Date('2999-01-01') };
  const test = { id: newId<DeliveryId>(), ...account, webhookId: id, paymentRequestId: newId<never>() };
  const attempt = { deliveryId: test.id, number: 1, startedAt: new Date(), durationMs: 1, httpStatus: 200 };
  await platform.database.run(async () => {
    await fixture.redeliveries.replay(webhook, range);
    await fixture.deliveries.recordTest(
      { ...test, eventType: 'payment_request', body: '{"data":{}}' },
      { ...attempt, status: 'delivered' },
    );
  });
});
// The ledger does not post these events, because only the webhooks context runs here.
afterAll(() => platform.close(UNPOSTED));

class Undone extends Error {}

/** Changes the database with triggers disabled, returns the invariants that fail, and rolls back. */
async function invariantsBrokenBy(sql: string): Promise<string[]> {
  let broken: string[] = [];
  const tamper = platform.database.run(async () => {
    await platform.database.query('SET LOCAL session_replication_role = replica');
    await platform.database.query(sql);
    broken = await fixture.broken();
    throw new Undone();
  });
  await expect(tamper).rejects.toThrow(Undone);
  return broken.sort();
}

const WAITING = `(SELECT id FROM webhooks.deliveries WHERE waits_for IS NOT NULL)`;
const DEPOSIT = `(SELECT id FROM webhooks.events WHERE event_type = 'deposit')`;
const SETTLEMENT = `(SELECT id FROM webhooks.events WHERE event_type = 'settlement')`;
const SUBSCRIPTION = `(SELECT max(number) FROM webhooks.events WHERE event_type = 'subscription')`;
const COMPLETED = `(SELECT id FROM platform.events WHERE data ->> 'status' = 'completed' AND type LIKE 'payment%')`;

/** SQL changes, each with the invariants that must detect it. */
// prettier-ignore
const TAMPERINGS: [name: string, sql: string, noticedBy: string[]][] = [
  ['a delivery is lost', `DELETE FROM webhooks.deliveries WHERE id = ${WAITING}`, ['every-subscribed-webhook-hears-of-every-event']],
  ['a settlement in progress has an event',
    `UPDATE webhooks.events SET id = (SELECT id FROM platform.events WHERE aggregate_id = '${settlement}' AND data ->> 'status' = 'processing') WHERE id = ${SETTLEMENT}`,
    ['merchant-events-are-complete', 'merchant-events-tell-what-happened']],
  ...[
    ['another amount', `'{data,amount}', '"24.76"'`],
    ['another status', `'{data,status}', '"failed"'`],
  ].map(([what, set]): [string, string, string[]] => [
    `a settlement has an event as ${what}`,
    `UPDATE webhooks.events SET body = jsonb_set(body::jsonb, ${set})::text WHERE id = ${SETTLEMENT}`,
    ['merchant-events-tell-what-happened'],
  ]),
  ['a status of a subscription has no event',
    `DELETE FROM webhooks.events WHERE number = ${SUBSCRIPTION}`,
    ['merchant-events-are-complete']],
  ['statuses of a subscription change places',
    `WITH first AS (DELETE FROM webhooks.events WHERE event_type = 'subscription' AND number <> ${SUBSCRIPTION} RETURNING *)
      INSERT INTO webhooks.events (id, organization_id, account_id, event_type, payment_request_id, occurred_at, body)
      SELECT id, organization_id, account_id, event_type, payment_request_id, occurred_at, body FROM first`,
    ['merchant-events-stand-in-order']],
  ['a webhook gets an event of a subscription',
    `UPDATE webhooks.deliveries SET event_id = (SELECT id FROM webhooks.events WHERE number = ${SUBSCRIPTION}) WHERE event_id IS NULL`,
    ['deliveries-carry-their-event', 'deliveries-tell-of-events']],
  ...[
    ['another status', `'{data,status}', '"past_due"'`],
    ['revoked by the payer', `'{data,revoked_by}', '"payer"'`],
  ].map(([what, set]): [string, string, string[]] => [
    `a subscription has an event as ${what}`,
    `UPDATE webhooks.events SET body = jsonb_set(body::jsonb, ${set})::text WHERE number = ${SUBSCRIPTION}`,
    ['merchant-events-tell-what-happened'],
  ]),
  ['a pending delivery is not scheduled', `DELETE FROM platform.due_work`, ['pending-deliveries-are-scheduled']],
  ['a waiting delivery is scheduled',
    `INSERT INTO platform.due_work (kind, key, lane, due_at) SELECT 'webhook_delivery', id, webhook_id, now() FROM webhooks.deliveries WHERE id = ${WAITING}`,
    ['pending-deliveries-are-scheduled']],
  ['a delivery is scheduled for another webhook',
    `UPDATE platform.due_work SET lane = gen_random_uuid()`,
    ['pending-deliveries-are-scheduled']],
  ['a delivery waits for one that has ended',
    `UPDATE webhooks.deliveries SET waits_for = (SELECT id FROM webhooks.deliveries WHERE event_id IS NULL) WHERE id = ${WAITING}`,
    ['deliveries-wait-in-order', 'pending-deliveries-are-scheduled']],
  ['a delivery waits for another webhook’s',
    `UPDATE webhooks.deliveries d SET waits_for = f.id FROM webhooks.deliveries f, webhooks.deliveries w
      WHERE d.id = ${WAITING} AND w.id = d.waits_for AND f.event_id = w.event_id AND f.webhook_id <> w.webhook_id`,
    ['deliveries-wait-in-order']],
  ['a delivery ends without an attempt',
    `UPDATE webhooks.deliveries SET status = 'failed', waits_for = NULL WHERE id = ${WAITING}`,
    ['attempts-lead-to-the-status']],
  ['an attempt is lost',
    `DELETE FROM webhooks.delivery_attempts WHERE status = 'delivered'`,
    ['attempts-are-counted', 'attempts-lead-to-the-status']],
  ['pruning is marked as having reached events of this week',
    `UPDATE webhooks.webhooks SET deliveries_pruned_until = platform.now()`,
    ['young-deliveries-are-not-pruned']],
  ['an attempt counter differs', `UPDATE webhooks.attempt_totals SET attempts = 9`, ['attempts-are-counted']],
  ['a body is formatted differently',
    `UPDATE webhooks.deliveries SET body = body::jsonb::text WHERE id = ${WAITING}`,
    ['deliveries-carry-their-event']],
  ['a delivery has an unknown event',
    `UPDATE webhooks.deliveries SET event_id = gen_random_uuid() WHERE event_id IS NULL`,
    ['deliveries-tell-of-events']],
  ['a delivery is another account’s',
    `UPDATE webhooks.deliveries SET account_id = gen_random_uuid() WHERE id = ${WAITING}`,
    ['deliveries-carry-their-event', 'deliveries-share-their-tenant', 'deliveries-tell-of-events']],
  ['an attempt is another webhook’s',
    `UPDATE webhooks.delivery_attempts a SET webhook_id = w.id FROM webhooks.webhooks w WHERE w.id <> a.webhook_id`,
    ['deliveries-share-their-tenant']],
  ['a merchant event is lost',
    `DELETE FROM webhooks.events WHERE id = ${COMPLETED}`,
    ['deliveries-wait-in-order', 'merchant-events-are-complete']],
  ['a deposit has another amount',
    `UPDATE webhooks.events SET body = replace(body, '"5"', '"5.000001"') WHERE id = ${DEPOSIT}`,
    ['merchant-events-tell-what-happened']],
  ['an incoming transfer is missing',
    `DELETE FROM webhooks.events WHERE event_type = 'incoming_transfer'`,
    ['merchant-events-are-complete']],
  ['an incoming transfer has another status',
    `UPDATE webhooks.events SET body = replace(body, 'processing', 'completed') WHERE event_type = 'incoming_transfer'`,
    ['merchant-events-tell-what-happened']],
  ['a reversal has no minus',
    `UPDATE webhooks.events SET body = replace(body, '"-', '"') WHERE event_type = 'adjustment'`,
    ['merchant-events-tell-what-happened']],
  ['a status without notification has a merchant event',
    `INSERT INTO webhooks.events (id, organization_id, account_id, event_type, payment_request_id, occurred_at, body)
      SELECT id, organization_id, account_id, 'payment_request', aggregate_id, occurred_at, json_build_object('data', json_build_object('status', 'expired', 'payment_request_id', aggregate_id))
      FROM platform.events WHERE data ->> 'status' = 'expired'`,
    ['merchant-events-are-complete']],
  ['a merchant event is another organization’s',
    `UPDATE webhooks.events SET organization_id = gen_random_uuid() WHERE id = ${COMPLETED}`,
    ['deliveries-carry-their-event', 'merchant-events-tell-what-happened']],
  ['a merchant event has another status',
    `UPDATE webhooks.events SET body = replace(body, 'completed', 'overpaid') WHERE id = ${COMPLETED}`,
    ['deliveries-carry-their-event', 'merchant-events-tell-what-happened']],
];

describe('The set of invariants of webhooks', () => {
  it('passes for unchanged data', async () => {
    expect(await fixture.broken()).toEqual([]);
  });

  it.each(TAMPERINGS)('detects a change of rows: %s', async (_, sql, broken) => {
    expect(await invariantsBrokenBy(sql)).toEqual(broken);
  });

  it('allows a minute for events that the subscribers have not read yet', async () => {
    const late = newAccount();
    await fixture.register(late, 'https://shop.example/hooks');
    await platform.database.run(() => platform.eventLog.append([statusChanged(late)]));

    const before = await fixture.broken();
    await platform.advance(120);
    const after = await fixture.broken();
    await fixture.rows(
      `UPDATE platform.subscriber_positions SET moved_at = moved_at - interval '61 seconds' WHERE subscriber = 'webhook_events'`,
    );
    const stuck = await fixture.broken();
    await fixture.happen();

    expect(before).toEqual([]);
    // A subscriber whose checkpoint still advances is not reported.
    expect(after).toEqual(['every-subscribed-webhook-hears-of-every-event']);
    expect(stuck).toEqual(['every-subscribed-webhook-hears-of-every-event', 'merchant-events-are-complete']);
  });
});
