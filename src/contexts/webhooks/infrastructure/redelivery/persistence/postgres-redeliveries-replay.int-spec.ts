import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { anAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import type { ReceivedRequest } from '#contexts/webhooks/testing/receiver.js';
import {
  ALL,
  redeliveryFixture,
  STEPS,
  type RedeliveryFixture,
} from '#contexts/webhooks/testing/redelivery-fixture.js';
import { statementsOf } from '#contexts/webhooks/testing/statements-of.js';
import type { ClaimedDelivery } from '../../delivery/persistence/delivery-queue.js';

/** Where each looked at all others, the rows read would be eight times as many as is allowed. */
const EVENTS = 800;

let fixture: RedeliveryFixture;

beforeEach(async () => {
  fixture = await redeliveryFixture();
});
afterEach(() => fixture.close());

const dataOf = ({ body }: ReceivedRequest) =>
  (JSON.parse(body) as { data: { payment_request_id: string; status: string } }).data;
const statusesOf = (paymentRequest: string) =>
  fixture.shop.requests
    .map(dataOf)
    .filter((data) => data.payment_request_id === paymentRequest)
    .map(({ status }) => status);
/** Rows of the context's tables that all statements so far have read. */
async function rowsRead(): Promise<number> {
  await fixture.rows('SELECT pg_stat_force_next_flush()');
  const [stats] = await fixture.rows<{ read: bigint }>(
    `SELECT sum(coalesce(idx_tup_fetch, 0) + seq_tup_read) AS read FROM pg_stat_user_tables
     WHERE schemaname = 'webhooks'`,
  );
  return Number(stats!.read);
}
const idsOf = (requests: readonly ReceivedRequest[]) => requests.map(({ headers }) => headers['webhook-id']);

describe('A replay', () => {
  it('sends a webhook that was registered later what it missed, each payment request in order, however it answers', async () => {
    const orders = Array.from({ length: 3 }, () => newId<string>());
    await fixture.happen(
      ...STEPS.flatMap((status) => orders.map((order) => statusChanged(fixture.account, { status }, order))),
    );
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    fixture.shop.answer = (_, response) => {
      const first = statusesOf(dataOf(fixture.shop.requests.at(-1)!).payment_request_id).length === 1;
      setTimeout(() => response.writeHead(first ? 500 : 200).end(), 30);
    };

    const replayed = await fixture.replay(id);
    fixture.startWorker();
    await eventually(async () => (await fixture.rows('SELECT FROM webhooks.delivery_attempts')).length === 3);
    const beforeTheRetry = fixture.shop.requests.map(dataOf);
    await fixture.platform.advance(7);
    await eventually(() => fixture.allAre('delivered'));

    expect(replayed).toBe(9);
    expect(beforeTheRetry.map(({ status }) => status)).toEqual(Array(3).fill('processing'));
    for (const order of orders) expect(statusesOf(order)).toEqual(['processing', ...STEPS]);
  });

  it('sends what was delivered again, under the same id and in the same bytes, with a log that goes on', async () => {
    const order = newId<string>();
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    fixture.startWorker();
    await fixture.happen(...fixture.steps(order));
    await eventually(() => fixture.allAre('delivered'));
    const before = [...fixture.shop.requests];

    await fixture.replay(id);
    await eventually(async () => fixture.shop.requests.length === 6 && (await fixture.allAre('delivered')));

    const again = fixture.shop.requests.slice(3);
    expect(statusesOf(order).slice(3)).toEqual([...STEPS]);
    expect(idsOf(again).sort()).toEqual(idsOf(before).sort());
    expect(again.map(({ body }) => body).sort()).toEqual(before.map(({ body }) => body).sort());
    const log = await fixture.rows<{ attempt: number }>(
      'SELECT attempt FROM webhooks.delivery_attempts ORDER BY attempt',
    );
    expect(log.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2, 2, 2]);
  });

  it('begins the schedule anew, and lets the next go once the one before has failed for good', async () => {
    const order = newId<string>();
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.happen(...fixture.steps(order).slice(0, 2));
    const first = await fixture.claim();
    const failed = ({ work, delivery }: ClaimedDelivery, number: number, status: 'pending' | 'failed') => ({
      work,
      attempt: {
        ...{
          deliveryId: delivery.id,
          number,
          startedAt: new Date(),
          durationMs: 1,
          error: 'timeout' as const,
        },
        ...(status === 'failed' ? { status } : { status, nextAttemptAt: new Date(Date.now() + 60_000) }),
      },
    });
    await fixture.queue.record(first.claimed.map((item) => failed(item, 1, 'pending')));

    await fixture.replay(id);
    const second = await fixture.claim();
    const whileTheFirstWaits = await fixture.claim();
    await fixture.queue.record(second.claimed.map((item) => failed(item, 2, 'failed')));
    const third = await fixture.claim();

    const [processing, underpaid] = await fixture.deliveryRows();
    expect(second.claimed).toMatchObject([
      { work: { attempt: 0 }, delivery: { id: processing!.id, attemptsBefore: 1 } },
    ]);
    expect(whileTheFirstWaits.claimed).toEqual([]);
    expect(third.claimed).toMatchObject([
      { work: { attempt: 0 }, delivery: { id: underpaid!.id, attemptsBefore: 1 } },
    ]);
  });

  it('takes the events of its account from the first moment on and before the last', async () => {
    const at = (ms: number) => new Date(Date.parse('2026-05-01T00:00:00Z') + ms);
    const events = [-1, 0, 1, 999, 1_000].map((ms) => ({
      ...statusChanged(fixture.account),
      occurredAt: at(ms),
    }));
    const strangers = [
      { ...statusChanged(anAccount()), occurredAt: at(1) },
      {
        ...statusChanged({ ...anAccount(), organizationId: fixture.account.organizationId }),
        occurredAt: at(1),
      },
    ];
    await fixture.happen(...events, ...strangers);
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    const refunds = await fixture.register(fixture.account, fixture.shop.url, 'refund');
    const range = { from: at(0), to: at(1_000) };
    const empty = [
      await fixture.replay(id, { from: at(1_001), to: at(2_000) }),
      await fixture.replay(id, { from: at(2), to: at(999) }),
      await fixture.replay(refunds.id, range),
    ];

    const replayed = await fixture.replay(id, range);

    expect(empty).toEqual([0, 0, 0]);
    expect(replayed).toBe(3);
    const queued = await fixture.rows<{ paymentRequestId: string }>(
      'SELECT payment_request_id FROM webhooks.deliveries',
    );
    expect(queued.map((row) => row.paymentRequestId).sort()).toEqual(
      events
        .slice(1, 4)
        .map(({ aggregateId }) => aggregateId)
        .sort(),
    );
  });

  it('keeps the first of a payment request behind one before the range that it waits for', async () => {
    const order = newId<string>();
    const at = (hour: number) => new Date(Date.UTC(2026, 4, 1, hour));
    await fixture.happen(...fixture.steps(order).map((event, hour) => ({ ...event, occurredAt: at(hour) })));
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.replay(id);

    await fixture.replay(id, { from: at(1), to: at(3) });

    const [first, second, third] = await fixture.deliveryRows();
    expect([first, second, third].map((delivery) => delivery!.waitsFor)).toEqual([
      null,
      first!.id,
      second!.id,
    ]);
  });

  it('ends with its webhook: what it queued is never sent', async () => {
    const order = newId<string>();
    await fixture.happen(...fixture.steps(order), statusChanged(fixture.account));
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.replay(id);

    await fixture.deactivate(fixture.account, id);

    expect(await fixture.rows('SELECT attempt, status, error FROM webhooks.delivery_attempts')).toEqual(
      Array(4).fill({ attempt: 1, status: 'failed', error: 'webhook_inactive' }),
    );
    expect(await fixture.rows('SELECT FROM platform.due_work')).toEqual([]);
  });

  it('takes as many statements for many events as for few, and looks at each only a few times', async () => {
    const statuses = ['processing', 'underpaid', 'overpaid', 'completed'] as const;
    const orders = Array.from({ length: EVENTS / 4 }, () => newId<string>());
    const few = anAccount();
    await fixture.happen(statusChanged(few), statusChanged(few));
    await fixture.happen(
      ...orders.flatMap((order) =>
        statuses.map((status) => statusChanged(fixture.account, { status }, order)),
      ),
    );
    const { id } = await fixture.register(few, fixture.shop.url);
    const { id: idOfMany } = await fixture.register(fixture.account, fixture.shop.url);
    const ofFew = () => statementsOf(fixture.platform, () => fixture.replay(id, ALL, few));
    const [forFew, forFewAgain] = [await ofFew(), await ofFew()];
    const readBefore = await rowsRead();

    const forMany = await statementsOf(fixture.platform, () => fixture.replay(idOfMany));
    const forManyAgain = await statementsOf(fixture.platform, () => fixture.replay(idOfMany));
    const read = (await rowsRead()) - readBefore;

    expect(forMany).toEqual(forFew);
    expect(forManyAgain).toEqual(forFewAgain);
    expect(read).toBeLessThan(100 * EVENTS);
    expect((await fixture.deliveryRows()).filter((delivery) => delivery.waitsFor === null)).toHaveLength(
      2 + EVENTS / 4,
    );
  });
});
