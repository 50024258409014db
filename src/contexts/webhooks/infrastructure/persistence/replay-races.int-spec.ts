import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '../../../../../test/support/open-database.js';
import { newId, type DeliveryId, type WebhookId } from '../../../../shared/kernel/ids.js';
import { anAccount, deliveryBench, eventually, statusChanged } from '../../testing/delivery-bench.js';
import { startReceiver, type Receiver } from '../../testing/receiver.js';
import type { ClaimedDelivery } from './delivery-queue.js';

const account = anAccount();
const STEPS = ['processing', 'underpaid', 'completed'] as const;
const ALL = { from: new Date(0), to: new Date('2999-01-01') };

let platform: TestPlatform;
let bench: ReturnType<typeof deliveryBench>;
let shop: Receiver;
let stops: (() => Promise<void>)[];
let order: string;

beforeEach(async () => {
  platform = await openTestDatabase();
  bench = deliveryBench(platform);
  shop = await startReceiver();
  stops = [() => shop.close()];
  order = newId();
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await platform.close();
});

const startWorker = () => {
  const worker = bench.startWorker();
  stops.push(() => worker.stop());
};
const replay = (id: WebhookId, range = ALL) =>
  platform.database.run(async () => bench.redeliveries.replay(await bench.webhooks.find(account, id), range));
const steps = (paymentRequest = order) =>
  STEPS.map((status) => statusChanged(account, { status }, paymentRequest));
const deliveries = () =>
  bench.rows<{ id: DeliveryId; status: string; waits_for: DeliveryId | null }>(
    `SELECT d.* FROM webhooks.deliveries d JOIN webhooks.events e ON e.id = d.event_id ORDER BY e.number`,
  );
const queued = async () =>
  (await bench.rows<{ key: string }>('SELECT key FROM platform.due_work')).map(({ key }) => key);
const claim = () => bench.queue.claim(10, { of: new Map(), ofOthers: 10 });
const acknowledge = ({ work, delivery }: ClaimedDelivery) =>
  bench.queue.record([
    {
      work,
      attempt: {
        ...{ deliveryId: delivery.id, number: delivery.attemptsBefore + 1, startedAt: new Date() },
        ...{ durationMs: 1, httpStatus: 200, status: 'delivered' },
      },
    },
  ]);

/** Does `first`, and commits it only once `second` waits for one of its locks. */
async function whileUncommitted(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> {
  let done = () => {};
  const written = new Promise<void>((resolve) => (done = resolve));
  let commit = () => {};
  const mayCommit = new Promise<void>((resolve) => (commit = resolve));
  const one = platform.database.run(async () => {
    await first();
    done();
    await mayCommit;
  });
  await Promise.race([written, one]);
  const other = second();
  await eventually(async () => {
    const waiting = await bench.rows(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  }).finally(commit);
  await Promise.all([one, other]);
}

describe('A replay among others', () => {
  it('leaves alone what is being attempted, and what follows waits for it', async () => {
    const { id } = await bench.register(account, shop.url);
    await bench.happen(steps()[0]!);
    const { claimed } = await claim();
    await bench.happen(steps()[1]!);

    await replay(id);
    const afterReplay = await queued();
    await acknowledge(claimed[0]!);

    const [first, second] = await deliveries();
    expect(afterReplay).toEqual([first!.id]);
    expect([first!.status, second!.status]).toEqual(['delivered', 'pending']);
    expect(await queued()).toEqual([second!.id]);
  });

  it('finds what a worker releases in the same moment', async () => {
    const { id } = await bench.register(account, shop.url);
    await bench.happen(...steps());
    await replay(id);
    const { claimed } = await claim();

    await whileUncommitted(
      () => acknowledge(claimed[0]!),
      () => replay(id),
    );

    const [first, second, third] = await deliveries();
    expect([first, second, third]).toMatchObject([
      { status: 'pending', waits_for: null },
      { status: 'pending', waits_for: first!.id },
      { status: 'pending', waits_for: second!.id },
    ]);
    expect(await queued()).toEqual([first!.id]);
  });

  it('finds what the subscriber queues in the same moment', async () => {
    await bench.happen(...steps());
    const { id } = await bench.register(account, shop.url);
    const events = await bench.rows<{ id: string; body: string }>(
      'SELECT * FROM webhooks.events ORDER BY number',
    );
    const late = events.map(({ id: eventId, body }) => ({
      ...{ id: newId<DeliveryId>(), ...account, webhookId: id, eventId, body },
      ...{ eventType: 'payment_request' as const, paymentRequestId: order as never },
    }));

    await whileUncommitted(
      () => bench.deliveries.queue(late),
      () => replay(id),
    );

    const [first, second] = late;
    expect((await deliveries()).map((delivery) => [delivery.id, delivery.waits_for])).toEqual([
      [first!.id, null],
      [second!.id, first!.id],
      [late[2]!.id, second!.id],
    ]);
    expect(await queued()).toEqual([first!.id]);
  });

  it('lets a follower go whose predecessor’s end waited for it', async () => {
    const { id } = await bench.register(account, shop.url);
    await bench.happen(steps()[0]!);
    const { claimed } = await claim();
    await bench.happen(steps()[1]!);

    await whileUncommitted(
      () => replay(id),
      () => acknowledge(claimed[0]!),
    );

    const [, second] = await deliveries();
    expect(await queued()).toEqual([second!.id]);
  });

  it('asked for many times at once, sends each event once', async () => {
    await bench.happen(...Array.from({ length: 20 }, () => steps(newId())).flat());
    const { id } = await bench.register(account, shop.url);

    const replayed = await Promise.all(Array.from({ length: 6 }, () => replay(id)));
    startWorker();
    await eventually(async () => (await deliveries()).every(({ status }) => status === 'delivered'));

    expect(replayed).toEqual(Array(6).fill(60));
    expect(shop.requests).toHaveLength(60);
  });

  it('and among workers that record and events that happen, loses nothing', async () => {
    const { id } = await bench.register(account, shop.url);
    startWorker();
    startWorker();
    await bench.happen(...Array.from({ length: 10 }, () => steps(newId())).flat());

    let replaying = true;
    const replays = Promise.all(
      [1, 2, 3].map(async () => {
        for (let n = 0; n < 8; n += 1) await replay(id);
      }),
    ).finally(() => (replaying = false));
    while (replaying) {
      await bench.happen(...steps(newId()));
      const [{ id: any }] = (await bench.rows<{ id: DeliveryId }>(
        'SELECT id FROM webhooks.deliveries ORDER BY random() LIMIT 1',
      )) as [{ id: DeliveryId }];
      await platform.database.run(async () =>
        bench.redeliveries.resend(await bench.webhooks.find(account, id), any),
      );
    }
    await replays;
    await eventually(async () => (await deliveries()).every(({ status }) => status === 'delivered'), 15_000);

    expect(await queued()).toEqual([]);
  });

  it.each([
    ['of the same deliveries', 0],
    ['of what follows those that wait', 1],
  ])('%s and its webhook’s end in the same moment, leave nothing waiting', async (_, hour) => {
    const at = (hours: number) => new Date(Date.UTC(2026, 4, 1, hours));
    await bench.happen(...steps().map((event, index) => ({ ...event, occurredAt: at(index) })));
    const { id } = await bench.register(account, shop.url);
    await replay(id, { from: at(0), to: at(2) });
    const deactivate = async () => {
      await bench.deliveries.endWaiting(account, id);
      await bench.webhooks.deactivate(account, id);
    };

    await whileUncommitted(
      () => replay(id, { from: at(hour), to: at(3) }),
      () => platform.database.run(deactivate),
    );
    startWorker();
    await eventually(async () => (await deliveries()).every(({ status }) => status === 'failed'));

    expect(await deliveries()).toHaveLength(3);
    expect(shop.requests).toEqual([]);
    expect(await queued()).toEqual([]);
  });

  it('broken off, has changed nothing', async () => {
    await bench.happen(...steps());
    const { id } = await bench.register(account, shop.url);
    await bench.happen(statusChanged(account));
    const state = async () => [
      await bench.rows('SELECT * FROM webhooks.deliveries ORDER BY id'),
      await bench.rows('SELECT * FROM platform.due_work ORDER BY key'),
    ];
    const before = await state();

    const broken = platform.database.run(async () => {
      await replay(id);
      const [row] = await platform.database.query<{ id: number }>('SELECT pg_backend_pid() AS id');
      await platform.dataSource.query('SELECT pg_terminate_backend($1)', [row!.id]);
      await platform.database.query('SELECT 1');
    });

    await expect(broken).rejects.toThrow();
    expect(await state()).toEqual(before);
  });
});
