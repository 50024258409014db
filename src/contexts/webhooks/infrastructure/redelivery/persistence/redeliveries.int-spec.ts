import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import { newId, type DeliveryId, type WebhookId } from '#shared/kernel/ids.js';
import {
  ALL_TIME,
  deliveryFixture,
  STATUS_STEPS,
  type DeliveryFixture,
} from '#contexts/webhooks/testing/delivery-fixture.js';
import { newAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import type { ReceivedRequest } from '#contexts/webhooks/testing/receiver.js';
import { statementsOf } from '#contexts/webhooks/testing/statements-of.js';
import type { ClaimedDelivery } from '../../delivery/persistence/delivery-queue.js';

const EVENTS = 80;
let fixture: DeliveryFixture;
let order: string;

beforeEach(async () => {
  fixture = await deliveryFixture();
  order = newId();
});
afterEach(() => fixture.close());

const dataOf = ({ body }: ReceivedRequest) =>
  (JSON.parse(body) as { data: { payment_request_id: string; status: string } }).data;
const statusesOf = (paymentRequest: string) =>
  fixture.shop.requests
    .map(dataOf)
    .filter((data) => data.payment_request_id === paymentRequest)
    .map(({ status }) => status);
describe('A replay', () => {
  it('sends a new webhook earlier events, in the order of each payment request', async () => {
    const orders = Array.from({ length: 3 }, () => newId<string>());
    await fixture.happen(
      ...STATUS_STEPS.flatMap((status) =>
        orders.map((order) => statusChanged(fixture.account, { status }, order)),
      ),
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
    for (const order of orders) expect(statusesOf(order)).toEqual(['processing', ...STATUS_STEPS]);
  });

  it('restarts the retry schedule, and releases the next delivery after a permanent failure', async () => {
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
    await fixture.queue.recordAttempts(first.claimed.map((item) => failed(item, 1, 'pending')));

    await fixture.replay(id);
    const second = await fixture.claim();
    const whileTheFirstWaits = await fixture.claim();
    await fixture.queue.recordAttempts(second.claimed.map((item) => failed(item, 2, 'failed')));
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

  it('includes the events of its account from the start of the range, but none at its end', async () => {
    const at = (ms: number) => new Date(Date.parse('2026-05-01T00:00:00Z') + ms);
    const events = [-1, 0, 1, 999, 1_000].map((ms) => ({
      ...statusChanged(fixture.account),
      occurredAt: at(ms),
    }));
    const strangers = [
      { ...statusChanged(newAccount()), occurredAt: at(1) },
      {
        ...statusChanged({ ...newAccount(), organizationId: fixture.account.organizationId }),
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

  it('sends a delivery that failed when its webhook was deactivated', async () => {
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.happen(statusChanged(fixture.account));
    await fixture.deactivate(fixture.account, id);
    await fixture.webhooks.activate(fixture.account, id, { actor: 'test' });

    await fixture.replay(id);

    expect((await fixture.claim()).claimed).toMatchObject([{ delivery: { active: true } }]);
  });

  it('keeps the order with a waiting delivery from before the range', async () => {
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

  it('takes as many SQL statements for many events as for few', async () => {
    const statuses = ['processing', 'underpaid', 'overpaid', 'completed'] as const;
    const orders = Array.from({ length: EVENTS / 4 }, () => newId<string>());
    const few = newAccount();
    await fixture.happen(statusChanged(few), statusChanged(few));
    await fixture.happen(
      ...orders.flatMap((order) =>
        statuses.map((status) => statusChanged(fixture.account, { status }, order)),
      ),
    );
    const { id } = await fixture.register(few, fixture.shop.url);
    const { id: idOfMany } = await fixture.register(fixture.account, fixture.shop.url);
    const ofFew = () => statementsOf(fixture.platform, () => fixture.replay(id, ALL_TIME, few));
    const [forFew, forFewAgain] = [await ofFew(), await ofFew()];

    const forMany = await statementsOf(fixture.platform, () => fixture.replay(idOfMany));
    const forManyAgain = await statementsOf(fixture.platform, () => fixture.replay(idOfMany));

    expect(forMany).toEqual(forFew);
    expect(forManyAgain).toEqual(forFewAgain);
    expect((await fixture.deliveryRows()).filter((delivery) => delivery.waitsFor === null)).toHaveLength(
      2 + EVENTS / 4,
    );
  });
});

describe('The request to send a delivery again', () => {
  let id: WebhookId;
  beforeEach(async () => {
    ({ id } = await fixture.register(fixture.account, fixture.shop.url));
  });

  it('sends a delivered event again with another signature', async () => {
    fixture.startWorker();
    await fixture.happen(statusChanged(fixture.account));
    await eventually(async () => (await fixture.deliveryRows())[0]!.status === 'delivered');
    const [before] = await fixture.deliveryRows();
    await fixture.platform.advance(60);

    const answer = await fixture.resend(id, before!.id);
    await eventually(async () => (await fixture.log()).length === 2);

    const [first, second] = fixture.shop.requests;
    const [event] = await fixture.rows<{ id: string; paymentRequestId: string }>(
      'SELECT * FROM webhooks.events',
    );
    expect(answer).toEqual({
      ...{ id: before!.id, webhookId: id, eventId: event!.id, eventType: 'payment_request' },
      ...{ paymentRequestId: event!.paymentRequestId, status: 'pending', createdAt: expect.any(Date) },
    });
    expect([second!.headers['webhook-id'], second!.body]).toEqual([event!.id, first!.body]);
    expect(second!.headers['x-request-signature']).not.toBe(first!.headers['x-request-signature']);
    expect(await fixture.log()).toMatchObject([
      { attempt: 1, status: 'delivered' },
      { attempt: 2, status: 'delivered' },
    ]);
  });

  it('starts the full retry schedule again', async () => {
    fixture.shop.answer = (_request, response) => response.writeHead(500).end();
    fixture.startWorker();
    await fixture.happen(statusChanged(fixture.account));
    await eventually(async () => (await fixture.log()).length === 1);
    await fixture.platform.advance(7);
    await eventually(async () => (await fixture.log()).length === 2);

    await fixture.resend(id, (await fixture.deliveryRows())[0]!.id);
    await eventually(async () => (await fixture.log()).length === 3);

    const third = (await fixture.log())[2]!;
    const ended = third.createdAt.getTime() + third.durationMs!;
    const wait = (third.nextAttemptAt!.getTime() - ended) / 1000;
    expect(third.attempt).toBe(3);
    expect(wait).toBeGreaterThan(3.9);
    expect(wait).toBeLessThan(6.1);
  });

  it('sends a delivery that waits in a replay immediately, and its followers still wait', async () => {
    await fixture.happen(...fixture.steps(order));
    await fixture.replay(id);
    const [first, second, third] = await fixture.deliveryRows();

    await fixture.resend(id, second!.id);
    const { claimed } = await fixture.claim();

    expect(claimed.map(({ delivery }) => delivery.id).sort()).toEqual([first!.id, second!.id].sort());
    expect((await fixture.deliveryRows())[2]).toMatchObject({ id: third!.id, waitsFor: second!.id });
  });

  it('sends the delivery once if it is repeated concurrently', async () => {
    fixture.startWorker();
    await fixture.happen(statusChanged(fixture.account));
    await eventually(async () => (await fixture.log()).length === 1);
    fixture.shop.answer = () => undefined;
    const { id: delivery } = (await fixture.deliveryRows())[0]!;

    await Promise.all(Array.from({ length: 8 }, () => fixture.resend(id, delivery)));
    await eventually(async () => (await fixture.log()).length === 2);

    expect(fixture.shop.requests).toHaveLength(2);
  });
});

describe('A concurrent replay', () => {
  it('does not change a delivery in progress, and later deliveries wait for it', async () => {
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.happen(fixture.steps(order)[0]!);
    const { claimed } = await fixture.claim();
    await fixture.happen(fixture.steps(order)[1]!);

    await fixture.replay(id);
    const afterReplay = await fixture.queued();
    await fixture.acknowledge(claimed[0]!);

    const [first, second] = await fixture.deliveryRows();
    expect(afterReplay).toEqual([first!.id]);
    expect([first!.status, second!.status]).toEqual(['delivered', 'pending']);
    expect(await fixture.queued()).toEqual([second!.id]);
  });

  it('waits for a worker that records an attempt, and queues its delivery', async () => {
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.happen(...fixture.steps(order));
    await fixture.replay(id);
    const { claimed } = await fixture.claim();

    await fixture.whileUncommitted(
      () => fixture.acknowledge(claimed[0]!),
      () => fixture.replay(id),
    );

    const [first, second, third] = await fixture.deliveryRows();
    expect([first, second, third]).toMatchObject([
      { status: 'pending', waitsFor: null },
      { status: 'pending', waitsFor: first!.id },
      { status: 'pending', waitsFor: second!.id },
    ]);
    expect(await fixture.queued()).toEqual([first!.id]);
  });

  it('releases a waiting delivery whose predecessor ended during the replay', async () => {
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.happen(fixture.steps(order)[0]!);
    const { claimed } = await fixture.claim();
    await fixture.happen(fixture.steps(order)[1]!);

    await fixture.whileUncommitted(
      () => fixture.replay(id),
      () => fixture.acknowledge(claimed[0]!),
    );

    const [, second] = await fixture.deliveryRows();
    expect(await fixture.queued()).toEqual([second!.id]);
  });

  it('is rejected as unavailable during a replay by another replica', async () => {
    await fixture.happen(...fixture.steps(order));
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    const webhook = await fixture.webhooks.find(fixture.account, id);
    const refusals: unknown[] = [];

    await fixture.whileUncommitted(
      () => fixture.redeliveries.replay(webhook, ALL_TIME),
      () => fixture.replay(id).catch((error: unknown) => refusals.push(error)),
    );

    expect(refusals).toMatchObject([{ kind: 'unavailable' }]);
  });

  it('loses no delivery among workers, deliveries that are sent again and new events', async () => {
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    fixture.startWorker();
    fixture.startWorker();
    await fixture.happen(...Array.from({ length: 10 }, () => fixture.steps(newId())).flat());

    let replaying = true;
    const replays = Promise.all(
      [1, 2, 3].map(async () => {
        for (let n = 0; n < 4; n += 1) await fixture.replay(id);
      }),
    ).finally(() => (replaying = false));
    while (replaying) {
      await fixture.happen(...fixture.steps(newId()));
      const [{ id: any }] = (await fixture.rows<{ id: DeliveryId }>(
        'SELECT id FROM webhooks.deliveries ORDER BY random() LIMIT 1',
      )) as [{ id: DeliveryId }];
      await fixture.resend(id, any);
    }
    await replays;
    await eventually(() => fixture.allAre('delivered'));

    expect(await fixture.queued()).toEqual([]);
  });

  it.each([
    ['the same deliveries', 0],
    ['deliveries that wait', 1],
  ])('leaves no delivery pending if the webhook is deactivated concurrently: %s', async (_, hour) => {
    const at = (hours: number) => new Date(Date.UTC(2026, 4, 1, hours));
    await fixture.happen(
      ...fixture.steps(order).map((event, index) => ({ ...event, occurredAt: at(index) })),
    );
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.replay(id, { from: at(0), to: at(2) });
    const deactivate = () => fixture.deactivate(fixture.account, id);

    await fixture.whileUncommitted(() => fixture.replay(id, { from: at(hour), to: at(3) }), deactivate);
    fixture.startWorker();
    await eventually(() => fixture.allAre('failed'));

    expect(await fixture.deliveryRows()).toHaveLength(3);
    expect(fixture.shop.requests).toEqual([]);
    expect(await fixture.queued()).toEqual([]);
  });

  it('changes nothing if the database connection is lost', async () => {
    await fixture.happen(...fixture.steps(order));
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.happen(statusChanged(fixture.account));
    const state = async () => [
      await fixture.rows('SELECT * FROM webhooks.deliveries ORDER BY id'),
      await fixture.rows('SELECT * FROM platform.due_work ORDER BY key'),
    ];
    const before = await state();

    const broken = fixture.platform.database.run(async () => {
      await fixture.replay(id);
      const [row] = await fixture.rows<{ id: number }>('SELECT pg_backend_pid() AS id');
      await fixture.platform.dataSource.query('SELECT pg_terminate_backend($1)', [row!.id]);
      await fixture.rows('SELECT 1');
    });

    await expect(broken).rejects.toThrow();
    expect(await state()).toEqual(before);
  });
});
