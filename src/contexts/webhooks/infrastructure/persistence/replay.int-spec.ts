import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '../../../../../test/support/open-database.js';
import { newId, type WebhookId } from '../../../../shared/kernel/ids.js';
import { anAccount, deliveryBench, eventually, statusChanged } from '../../testing/delivery-bench.js';
import { startReceiver, type ReceivedRequest, type Receiver } from '../../testing/receiver.js';

const account = anAccount();
const STEPS = ['processing', 'underpaid', 'completed'] as const;
const ALL = { from: new Date(0), to: new Date('2999-01-01') };

let platform: TestPlatform;
let bench: ReturnType<typeof deliveryBench>;
let shop: Receiver;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  platform = await openTestDatabase();
  bench = deliveryBench(platform);
  shop = await startReceiver();
  stops = [() => shop.close()];
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await platform.close();
});

const startWorker = () => {
  const worker = bench.startWorker();
  stops.push(() => worker.stop());
};
const replay = (id: WebhookId, range = ALL, owner = account) =>
  platform.database.run(async () => bench.redeliveries.replay(await bench.webhooks.find(owner, id), range));
const told = ({ body }: ReceivedRequest) =>
  (JSON.parse(body) as { data: { payment_request_id: string; status: string } }).data;
const statusesOf = (paymentRequest: string) =>
  shop.requests
    .map(told)
    .filter((data) => data.payment_request_id === paymentRequest)
    .map(({ status }) => status);
const idsOf = (requests: readonly ReceivedRequest[]) => requests.map(({ headers }) => headers['webhook-id']);
const deliveries = () =>
  bench.rows<{ id: string; status: string; waits_for: string | null; attempts_before: number }>(
    `SELECT d.* FROM webhooks.deliveries d JOIN webhooks.events e ON e.id = d.event_id ORDER BY e.number`,
  );
const delivered = async () => (await deliveries()).every(({ status }) => status === 'delivered');

describe('A replay', () => {
  it('sends a webhook that was registered later what it missed, each payment request in order, however it answers', async () => {
    const orders = Array.from({ length: 3 }, () => newId<string>());
    await bench.happen(
      ...STEPS.flatMap((status) => orders.map((order) => statusChanged(account, { status }, order))),
    );
    const { id } = await bench.register(account, shop.url);
    shop.answer = (_, response) => {
      const first = statusesOf(told(shop.requests.at(-1)!).payment_request_id).length === 1;
      setTimeout(() => response.writeHead(first ? 500 : 200).end(), 30);
    };

    const replayed = await replay(id);
    startWorker();
    await eventually(async () => (await bench.rows('SELECT FROM webhooks.delivery_attempts')).length === 3);
    const beforeTheRetry = shop.requests.map(told);
    await platform.advance(7);
    await eventually(delivered);

    expect(replayed).toBe(9);
    expect(beforeTheRetry.map(({ status }) => status)).toEqual(Array(3).fill('processing'));
    for (const order of orders) expect(statusesOf(order)).toEqual(['processing', ...STEPS]);
  });

  it('sends what was delivered again, under the same id and in the same bytes, with a log that goes on', async () => {
    const order = newId<string>();
    const { id } = await bench.register(account, shop.url);
    startWorker();
    await bench.happen(...STEPS.map((status) => statusChanged(account, { status }, order)));
    await eventually(delivered);
    const before = [...shop.requests];

    await replay(id);
    await eventually(async () => shop.requests.length === 6 && (await delivered()));

    const again = shop.requests.slice(3);
    expect(statusesOf(order).slice(3)).toEqual([...STEPS]);
    expect(idsOf(again).sort()).toEqual(idsOf(before).sort());
    expect(again.map(({ body }) => body).sort()).toEqual(before.map(({ body }) => body).sort());
    const log = await bench.rows<{ attempt: number }>(
      'SELECT attempt FROM webhooks.delivery_attempts ORDER BY attempt',
    );
    expect(log.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2, 2, 2]);
  });

  it('begins the schedule anew, and lets the next go once the one before has failed for good', async () => {
    const order = newId<string>();
    const { id } = await bench.register(account, shop.url);
    await bench.happen(...STEPS.slice(0, 2).map((status) => statusChanged(account, { status }, order)));
    const claim = () => bench.queue.claim(10, { of: new Map(), ofOthers: 10 });
    const first = await claim();
    const failed = (
      { work, delivery }: (typeof first)['claimed'][0],
      number: number,
      status: 'pending' | 'failed',
    ) => ({
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
    await bench.queue.record(first.claimed.map((item) => failed(item, 1, 'pending')));

    await replay(id);
    const second = await claim();
    const whileTheFirstWaits = await claim();
    await bench.queue.record(second.claimed.map((item) => failed(item, 2, 'failed')));
    const third = await claim();

    const [processing, underpaid] = await deliveries();
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
    const events = [-1, 0, 1, 999, 1_000].map((ms) => ({ ...statusChanged(account), occurredAt: at(ms) }));
    const strangers = [
      { ...statusChanged(anAccount()), occurredAt: at(1) },
      { ...statusChanged({ ...anAccount(), organizationId: account.organizationId }), occurredAt: at(1) },
    ];
    await bench.happen(...events, ...strangers);
    const { id } = await bench.register(account, shop.url);
    const refunds = await bench.register(account, shop.url, 'refund');
    const range = { from: at(0), to: at(1_000) };
    const empty = [
      await replay(id, { from: at(1_001), to: at(2_000) }),
      await replay(id, { from: at(2), to: at(999) }),
      await replay(refunds.id, range),
    ];

    const replayed = await replay(id, range);

    expect(empty).toEqual([0, 0, 0]);
    expect(replayed).toBe(3);
    const queued = await bench.rows<{ payment_request_id: string }>(
      'SELECT payment_request_id FROM webhooks.deliveries',
    );
    expect(queued.map((row) => row.payment_request_id).sort()).toEqual(
      events
        .slice(1, 4)
        .map(({ aggregateId }) => aggregateId)
        .sort(),
    );
  });

  it('keeps the first of a payment request behind one before the range that it waits for', async () => {
    const order = newId<string>();
    const at = (hour: number) => new Date(Date.UTC(2026, 4, 1, hour));
    await bench.happen(
      ...STEPS.map((status, hour) => ({
        ...statusChanged(account, { status }, order),
        occurredAt: at(hour),
      })),
    );
    const { id } = await bench.register(account, shop.url);
    await replay(id);

    await replay(id, { from: at(1), to: at(3) });

    const [first, second, third] = await deliveries();
    expect([first, second, third].map((delivery) => delivery!.waits_for)).toEqual([
      null,
      first!.id,
      second!.id,
    ]);
  });

  it('ends with its webhook: what it queued is never sent', async () => {
    const order = newId<string>();
    await bench.happen(
      ...STEPS.map((status) => statusChanged(account, { status }, order)),
      statusChanged(account),
    );
    const { id } = await bench.register(account, shop.url);
    await replay(id);

    await platform.database.run(async () => {
      await bench.deliveries.endWaiting(account, id);
      await bench.webhooks.deactivate(account, id);
    });

    expect(await bench.rows('SELECT attempt, status, error FROM webhooks.delivery_attempts')).toEqual(
      Array(4).fill({ attempt: 1, status: 'failed', error: 'webhook_inactive' }),
    );
    expect(await bench.rows('SELECT FROM platform.due_work')).toEqual([]);
  });

  it('takes as many statements for many events as for few, and seconds for ten thousand', async () => {
    const statuses = ['processing', 'underpaid', 'overpaid', 'completed'] as const;
    const orders = Array.from({ length: 2_500 }, () => newId<string>());
    const few = anAccount();
    await bench.happen(statusChanged(few), statusChanged(few));
    await bench.happen(
      ...orders.flatMap((order) => statuses.map((status) => statusChanged(account, { status }, order))),
    );
    const { id } = await bench.register(few, shop.url);
    const { id: idOfMany } = await bench.register(account, shop.url);
    const statements = async (work: () => Promise<unknown>) => {
      const texts: string[] = [];
      const { query } = platform.database;
      platform.database.query = function <Row extends object>(text: string, values?: unknown[]) {
        texts.push(text);
        return query.call(platform.database, text, values) as Promise<Row[]>;
      };
      await work();
      platform.database.query = query;
      return texts;
    };
    const ofFew = () => statements(() => replay(id, ALL, few));
    const [forFew, forFewAgain] = [await ofFew(), await ofFew()];

    const begun = performance.now();
    const forMany = await statements(() => replay(idOfMany));
    const took = performance.now() - begun;
    const forManyAgain = await statements(() => replay(idOfMany));
    const tookAgain = performance.now() - begun - took;

    console.info(`replay of 10,000 events: ${Math.round(took)} ms, again: ${Math.round(tookAgain)} ms`);
    expect(forMany).toEqual(forFew);
    expect(forManyAgain).toEqual(forFewAgain);
    expect(Math.max(took, tookAgain)).toBeLessThan(5_000);
    expect((await deliveries()).filter((delivery) => delivery.waits_for === null)).toHaveLength(2 + 2_500);
  });
});
