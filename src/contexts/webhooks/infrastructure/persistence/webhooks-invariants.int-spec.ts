import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type DeliveryId } from '#shared/kernel/ids.js';
import {
  anAccount,
  creditReversed,
  depositReceived,
  settlementChanged,
  statusChanged,
  subscriptionChanged,
} from '../../testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { webhooksFixture } from '../../testing/webhooks-fixture.js';
import { startReceiver } from '../../testing/receiver.js';
import { webhookTamperings } from '../../testing/webhook-tamperings.js';

const UNPOSTED = [
  'ledger-deposits-posted-once',
  'ledger-reversals-posted-once',
  'ledger-settlements-are-followed',
];
const account = anAccount();
const [order, other, settlement] = [newId<string>(), newId<string>(), newId<string>()];
const subscription = newId<string>();

let platform: TestPlatform;
let fixture: ReturnType<typeof webhooksFixture>;

/** Two webhooks, of which one only fails; a deposit and a reversal; a test; and a replay, of which one delivery waits for another. */
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
    depositReceived(account, {}, order),
    creditReversed(account, { postedAs: 'deposit', before: '5000000', after: '1' }, order),
    settlementChanged(account, 'processing', settlement),
    settlementChanged(account, 'completed', settlement),
    subscriptionChanged(account, { status: 'pending', expiresAt: '2027-02-01T10:00:00.000Z' }, subscription),
    subscriptionChanged(account, { walletExternalId: 'wallet-1' }, subscription),
  );
  await eventually(async () => (await fixture.rows('SELECT FROM webhooks.delivery_attempts')).length === 4);
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
// The ledger does not listen here, and two minutes pass.
afterAll(() => platform.close(UNPOSTED));

class Undone extends Error {}

/** Changes the database with triggers off and checks on, and takes the changes back. */
async function brokenBy(sql: string): Promise<string[]> {
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

describe('The invariants of webhooks', () => {
  it('hold while nobody tampers', async () => {
    expect(await fixture.broken()).toEqual([]);
  });

  it.each(webhookTamperings({ order, settlement }))('report when %s', async (_, sql, broken) => {
    expect(await brokenBy(sql)).toEqual(broken);
  });

  it('leave alone what the subscribers have not read yet, for a minute', async () => {
    const late = anAccount();
    await fixture.register(late, 'https://shop.example/hooks');
    await platform.database.run(() => platform.eventLog.append([statusChanged(late)]));

    const before = await fixture.broken();
    await platform.advance(120);
    const after = await fixture.broken();
    await fixture.rows(
      `UPDATE platform.subscriber_positions SET moved_at = moved_at - interval '61 seconds' WHERE subscriber = 'merchant_events'`,
    );
    const stuck = await fixture.broken();
    await fixture.happen();

    expect(before).toEqual([]);
    // Who still moves along a long log is not to blame.
    expect(after).toEqual(['every-subscribed-webhook-hears-of-every-event']);
    expect(stuck).toEqual(['every-subscribed-webhook-hears-of-every-event', 'merchant-events-are-complete']);
  });
});
