import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import { newId } from '#shared/kernel/ids.js';
import { WEBHOOK_EVENT_TYPES } from '../../domain/registration/webhook.js';
import { deliveryFixture, type DeliveryFixture } from '../../testing/delivery-fixture.js';
import {
  newAccount,
  creditReversed,
  depositReceived,
  incomingTransferChanged,
  refundChanged,
  settlementChanged,
  statusChanged,
  subscriptionChanged,
} from '../../testing/payment-events.js';
import { statementsOf } from '../../testing/statements-of.js';

const URL = 'https://shop.example/hooks';
let fixture: DeliveryFixture;
let account: DeliveryFixture['account'];

beforeEach(async () => {
  fixture = await deliveryFixture();
  account = fixture.account;
});
afterEach(() => fixture.close());

const append = (...events: Parameters<DeliveryFixture['happen']>) =>
  fixture.platform.database.run(() => fixture.platform.eventLog.append(events));
const recorded = () =>
  fixture.rows<{ id: string; eventType: string; paymentRequestId: string | null; body: string }>(
    'SELECT id, event_type, payment_request_id, body FROM webhooks.events ORDER BY number',
  );
const readAgain = () =>
  fixture.rows(`UPDATE platform.subscriber_positions SET transaction_id = '0', position = 0`);
/** Events of one payment request, including types that no webhook can be registered for. */
const history = (order: string) => [
  statusChanged(account, { status: 'processing' }, order),
  statusChanged(account, {}, order),
  depositReceived(account, {}, order),
  creditReversed(account, {}, order),
  settlementChanged(account, 'completed'),
  subscriptionChanged(account),
];

describe('The log of a merchant', () => {
  it('starts at the beginning of the event log, with the ids and bodies of deliveries', async () => {
    const { id } = await fixture.register(account, URL);
    const statuses = ['pending', 'processing', 'completed', 'underpaid', 'overpaid', 'expired'] as const;
    await fixture.happen(
      ...statuses.map((status) => statusChanged(account, { status, referenceId: 'Ñ/"😀' })),
    );
    await fixture.platform.database.run(async () => {
      await fixture.rows('SET LOCAL session_replication_role = replica');
      await fixture.rows('DELETE FROM webhooks.events');
      await fixture.rows(`DELETE FROM platform.subscriber_positions WHERE subscriber = 'webhook_events'`);
    });
    await fixture.happen();

    const events = await recorded();
    expect(events).toHaveLength(4);
    expect(events.map(({ id: event, body }) => ({ id: event, body }))).toEqual(
      await fixture.rows(
        `SELECT d.event_id AS id, d.body FROM webhooks.deliveries d JOIN platform.events e ON e.id = d.event_id
         WHERE d.webhook_id = $1 ORDER BY e.transaction_id, e.position`,
        [id],
      ),
    );
  });

  it('contains each event once, in order, written in one SQL statement, and cannot be changed', async () => {
    const order = newId<string>();
    const statements = await statementsOf(fixture.platform, () => fixture.happen(...history(order)));
    const before = await recorded();
    await readAgain();
    await Promise.all([fixture.eventsRunner().applyNextBatch(), fixture.eventsRunner().applyNextBatch()]);
    await fixture.happen();

    expect(statements.filter((text) => text.includes('INTO webhooks.events'))).toHaveLength(1);
    expect(before.map(({ eventType, paymentRequestId }) => [eventType, paymentRequestId])).toEqual([
      ...['payment_request', 'payment_request', 'deposit', 'adjustment'].map((type) => [type, order]),
      ...['settlement', 'subscription'].map((type) => [type, null]),
    ]);
    expect(await recorded()).toEqual(before);
    await expect(fixture.rows('DELETE FROM webhooks.events')).rejects.toThrow(/append-only/);
    await expect(fixture.rows(`UPDATE webhooks.events SET body = '{}'`)).rejects.toThrow(/append-only/);
  });

  it('keeps the order of each payment request for a reader while others write', async () => {
    const [writers, each] = [6, 12];
    const scope = { organizationId: account.organizationId, accountId: account.accountId };
    await fixture.happen();
    const workers = Array.from({ length: 3 }, () => fixture.eventsRunner());
    const read: { id: string; reference: string }[] = [];
    let reading = true;
    const turning = workers.map(async (worker) => {
      while (reading) await worker.applyNextBatch();
    });
    const all = eventually(async () => {
      const after = read.at(-1)?.id;
      const page = await fixture.merchantEventQueries.readAfter({ scope, limit: 3, ...(after && { after }) });
      for (const { id, body } of page!.events) {
        const { data } = JSON.parse(body) as { data: { external_reference_id: string } };
        read.push({ id, reference: data.external_reference_id });
      }
      return read.length >= writers * each;
    }).finally(() => (reading = false));

    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const paymentRequest = newId<string>();
        const event = (n: number) =>
          statusChanged(account, { referenceId: `${writer}-${String(n).padStart(2, '0')}` }, paymentRequest);
        for (let n = 0; n < each; n += 2) {
          await fixture.platform.database.run(async () => {
            await fixture.platform.eventLog.append([event(n)]);
            // Transactions that began later commit first.
            await new Promise((resolve) => setTimeout(resolve, (writer * 7 + n * 3) % 20));
            await fixture.platform.eventLog.append([event(n + 1)]);
          });
        }
      }),
    );
    await Promise.all([all, ...turning]);

    expect(new Set(read.map(({ id }) => id)).size).toBe(writers * each);
    for (let writer = 0; writer < writers; writer += 1) {
      const own = read.map(({ reference }) => reference).filter((text) => text.startsWith(`${writer}-`));
      expect(own).toEqual([...own].sort());
    }
    expect(read.map(({ id }) => id)).toEqual((await recorded()).map(({ id }) => id));
  });

  it('is written in the transaction that queues the deliveries and moves the checkpoint', async () => {
    const { database, dataSource } = fixture.platform;
    const checkpoint = () =>
      fixture.rows(`SELECT * FROM platform.subscriber_positions WHERE subscriber = 'webhook_events'`);
    await fixture.happen(statusChanged(account));
    await append(statusChanged(account));
    const before = await checkpoint();
    const { queueEvents } = fixture.deliveries;
    fixture.deliveries.queueEvents = async (events) => {
      await queueEvents.call(fixture.deliveries, events);
      const [row] = await database.query<{ id: number }>('SELECT pg_backend_pid() AS id');
      await dataSource.query('SELECT pg_terminate_backend($1)', [row!.id]);
      await database.query('SELECT 1');
    };
    await expect(fixture.happen()).rejects.toThrow();
    fixture.deliveries.queueEvents = queueEvents;

    expect([await recorded(), await checkpoint()]).toEqual([[expect.anything()], before]);
    await fixture.happen();
    expect(await recorded()).toHaveLength(2);
  });

  it('is complete until a time once all earlier events are recorded, except for the last seconds', async () => {
    const occurredAt = await fixture.platform.clock.now();
    const later = new Date(occurredAt.getTime() + 3_600_000);
    const isComplete = async () =>
      Promise.all([occurredAt, later].map((time) => fixture.merchantEvents.areRecordedUntil(time)));
    await fixture.happen();
    await append({ ...statusChanged(account), occurredAt });
    const justNow = await isComplete();
    await fixture.platform.advance(11);
    const behind = await isComplete();
    await fixture.rows(`DELETE FROM platform.subscriber_positions WHERE subscriber = 'webhook_events'`);
    const neverRead = await isComplete();
    await fixture.happen();

    expect([justNow, behind, neverRead]).toEqual([[true, true], [true, false], [true, false]]); // prettier-ignore
    expect(await isComplete()).toEqual([true, true]);
  });
});

describe('A webhook', () => {
  const bodiesFor = (webhook: string) =>
    fixture.rows('SELECT body FROM webhooks.deliveries WHERE webhook_id = $1', [webhook]);

  it('receives the events of its account since its registration', async () => {
    const sibling = { ...newAccount(), organizationId: account.organizationId };
    const impostor = { ...newAccount(), accountId: account.accountId };
    const [first, second] = [await fixture.register(account, URL), await fixture.register(account, URL)];
    const others = [
      await fixture.register(account, URL, 'incoming_transfer'),
      await fixture.register(sibling, URL),
      await fixture.register(impostor, URL),
    ];
    await append(statusChanged(account));
    const later = await fixture.register(account, URL);
    await fixture.happen(statusChanged(account));
    await readAgain();
    await fixture.happen(statusChanged(newAccount()));

    expect([await bodiesFor(first.id), await bodiesFor(second.id)]).toEqual([
      ...Array(2).fill([expect.anything(), expect.anything()]),
    ]);
    expect(await bodiesFor(later.id)).toHaveLength(1);
    for (const { id } of others) expect(await bodiesFor(id)).toEqual([]);
  });

  it('receives no event from before it was activated again, even if the event is read later', async () => {
    const { id } = await fixture.register(account, URL);
    await fixture.deactivate(account, id);
    await append(statusChanged(account));
    await fixture.webhooks.activate(account, id, { actor: 'test' });
    const later = statusChanged(account);
    await fixture.happen(later);

    expect(await bodiesFor(id)).toEqual([{ body: expect.stringContaining(later.aggregateId) }]);
  });

  it('has deliveries for 200 events queued in three SQL statements, each due immediately', async () => {
    const { id } = await fixture.register(account, URL);
    const statements = await statementsOf(fixture.platform, () =>
      fixture.happen(...Array.from({ length: 200 }, () => statusChanged(account))),
    );

    const own = statements.filter((text) => /webhooks\.(?:webhooks|deliveries)|due_work/.test(text));
    expect(own).toHaveLength(3);
    const due = await fixture.rows(
      `SELECT 1 FROM platform.due_work JOIN webhooks.deliveries d ON d.id = key
       WHERE kind = 'webhook_delivery' AND lane = $1 AND due_at <= platform.now() AND d.webhook_id = lane`,
      [id],
    );
    expect(due).toHaveLength(200);
  });

  it('receives the same bodies as the log, but only events of the registered type', async () => {
    const payments = await fixture.register(account, URL, 'payment_request');
    const refunds = await fixture.register(account, URL, 'refund');
    const transfers = await fixture.register(account, URL, 'incoming_transfer');
    await fixture.happen(refundChanged(account, 'completed'), incomingTransferChanged(account, 'processing'));

    const deliveries = await fixture.rows<{ webhookId: string; body: string }>(
      'SELECT webhook_id, body FROM webhooks.deliveries',
    );
    const events = (await recorded()).map(({ body }) => body).sort();
    expect(deliveries.map(({ body }) => body).sort()).toEqual(events);
    expect(deliveries.map(({ webhookId }) => webhookId).sort()).toEqual([refunds.id, transfers.id].sort());
    expect(await fixture.replay(payments.id)).toBe(0);
  });

  it('receives no deposits, adjustments, settlements or subscriptions, not even by a replay', async () => {
    await fixture.happen(...history(newId()));
    const replayed = [];
    for (const type of WEBHOOK_EVENT_TYPES)
      replayed.push([type, await fixture.replay((await fixture.register(account, URL, type)).id)]);
    await fixture.happen(...history(newId()));

    expect(replayed).toEqual(WEBHOOK_EVENT_TYPES.map((type) => [type, type === 'payment_request' ? 2 : 0]));
    expect(await fixture.rows('SELECT DISTINCT event_type FROM webhooks.deliveries')).toEqual([
      { eventType: 'payment_request' },
    ]);
    expect(await fixture.statuses()).toHaveLength(4);
    const smuggled = fixture.rows(
      `INSERT INTO webhooks.deliveries
         (id, organization_id, account_id, webhook_id, event_id, event_type, payment_request_id, body)
       SELECT gen_random_uuid(), e.organization_id, e.account_id, w.id, e.id, e.event_type, e.payment_request_id, e.body
       FROM webhooks.events e, webhooks.webhooks w WHERE e.event_type = 'deposit'`,
    );
    await expect(smuggled).rejects.toThrow('deliveries_event_type_check');
  });
});
