import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type DeliveryId } from '../../../../../shared/kernel/ids.js';
import { eventually, statusChanged } from '../../../testing/webhooks-fixture.js';
import { ALL, redeliveryBench, type RedeliveryBench } from '../../../testing/redelivery-fixture.js';
import type { ClaimedDelivery } from '../../delivery/persistence/delivery-queue.js';

let bench: RedeliveryBench;
let order: string;

beforeEach(async () => {
  bench = await redeliveryBench();
  order = newId();
});
afterEach(() => bench.close());

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

/** Does `first`, and commits it only once `second` waits for one of its locks, or has ended without. */
async function whileUncommitted(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> {
  let done = () => {};
  const written = new Promise<void>((resolve) => (done = resolve));
  let commit = () => {};
  const mayCommit = new Promise<void>((resolve) => (commit = resolve));
  const one = bench.platform.database.run(async () => {
    await first();
    done();
    await mayCommit;
  });
  await Promise.race([written, one]);
  let over = false;
  const other = second().finally(() => (over = true));
  await eventually(async () => {
    const waiting = await bench.rows(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return over || waiting.length > 0;
  }).finally(commit);
  await Promise.all([one, other]);
}

describe('A replay among others', () => {
  it('leaves alone what is being attempted, and what follows waits for it', async () => {
    const { id } = await bench.register(bench.account, bench.shop.url);
    await bench.happen(bench.steps(order)[0]!);
    const { claimed } = await bench.claim();
    await bench.happen(bench.steps(order)[1]!);

    await bench.replay(id);
    const afterReplay = await bench.queued();
    await acknowledge(claimed[0]!);

    const [first, second] = await bench.deliveryRows();
    expect(afterReplay).toEqual([first!.id]);
    expect([first!.status, second!.status]).toEqual(['delivered', 'pending']);
    expect(await bench.queued()).toEqual([second!.id]);
  });

  it('finds what a worker releases in the same moment', async () => {
    const { id } = await bench.register(bench.account, bench.shop.url);
    await bench.happen(...bench.steps(order));
    await bench.replay(id);
    const { claimed } = await bench.claim();

    await whileUncommitted(
      () => acknowledge(claimed[0]!),
      () => bench.replay(id),
    );

    const [first, second, third] = await bench.deliveryRows();
    expect([first, second, third]).toMatchObject([
      { status: 'pending', waits_for: null },
      { status: 'pending', waits_for: first!.id },
      { status: 'pending', waits_for: second!.id },
    ]);
    expect(await bench.queued()).toEqual([first!.id]);
  });

  it('finds what the subscriber queues in the same moment', async () => {
    await bench.happen(...bench.steps(order));
    const { id } = await bench.register(bench.account, bench.shop.url);
    const events = await bench.rows<{ id: string; body: string }>(
      'SELECT * FROM webhooks.events ORDER BY number',
    );
    const late = events.map(({ id: eventId, body }) => ({
      ...{ id: newId<DeliveryId>(), ...bench.account, webhookId: id, eventId, body },
      ...{ eventType: 'payment_request' as const, paymentRequestId: order as never },
    }));

    await whileUncommitted(
      () => bench.deliveries.queue(late),
      () => bench.replay(id),
    );

    const [first, second] = late;
    expect((await bench.deliveryRows()).map((delivery) => [delivery.id, delivery.waits_for])).toEqual([
      [first!.id, null],
      [second!.id, first!.id],
      [late[2]!.id, second!.id],
    ]);
    expect(await bench.queued()).toEqual([first!.id]);
  });

  it('lets a follower go whose predecessor’s end waited for it', async () => {
    const { id } = await bench.register(bench.account, bench.shop.url);
    await bench.happen(bench.steps(order)[0]!);
    const { claimed } = await bench.claim();
    await bench.happen(bench.steps(order)[1]!);

    await whileUncommitted(
      () => bench.replay(id),
      () => acknowledge(claimed[0]!),
    );

    const [, second] = await bench.deliveryRows();
    expect(await bench.queued()).toEqual([second!.id]);
  });

  it('asked for many times at once, sends each event once', async () => {
    await bench.happen(...Array.from({ length: 20 }, () => bench.steps(newId())).flat());
    const { id } = await bench.register(bench.account, bench.shop.url);

    const replayed = await Promise.all(Array.from({ length: 6 }, () => bench.replay(id)));
    bench.startWorker();
    await eventually(() => bench.allAre('delivered'));

    expect(replayed).toEqual(Array(6).fill(60));
    expect(bench.shop.requests).toHaveLength(60);
  });

  it('of another replica is told to come back, and waits for nobody', async () => {
    await bench.happen(...bench.steps(order));
    const { id } = await bench.register(bench.account, bench.shop.url);
    const webhook = await bench.webhooks.find(bench.account, id);
    const refusals: unknown[] = [];

    await whileUncommitted(
      () => bench.redeliveries.replay(webhook, ALL),
      () => bench.replay(id).catch((error: unknown) => refusals.push(error)),
    );

    expect(refusals).toMatchObject([{ kind: 'unavailable' }]);
  });

  it('and among workers that record and events that happen, loses nothing', async () => {
    const { id } = await bench.register(bench.account, bench.shop.url);
    bench.startWorker();
    bench.startWorker();
    await bench.happen(...Array.from({ length: 10 }, () => bench.steps(newId())).flat());

    let replaying = true;
    const replays = Promise.all(
      [1, 2, 3].map(async () => {
        for (let n = 0; n < 8; n += 1) await bench.replay(id);
      }),
    ).finally(() => (replaying = false));
    while (replaying) {
      await bench.happen(...bench.steps(newId()));
      const [{ id: any }] = (await bench.rows<{ id: DeliveryId }>(
        'SELECT id FROM webhooks.deliveries ORDER BY random() LIMIT 1',
      )) as [{ id: DeliveryId }];
      await bench.resend(id, any);
    }
    await replays;
    await eventually(() => bench.allAre('delivered'), 15_000);

    expect(await bench.queued()).toEqual([]);
  });

  it.each([
    ['of the same deliveries', 0],
    ['of what follows those that wait', 1],
  ])('%s and its webhook’s end in the same moment, leave nothing waiting', async (_, hour) => {
    const at = (hours: number) => new Date(Date.UTC(2026, 4, 1, hours));
    await bench.happen(...bench.steps(order).map((event, index) => ({ ...event, occurredAt: at(index) })));
    const { id } = await bench.register(bench.account, bench.shop.url);
    await bench.replay(id, { from: at(0), to: at(2) });
    const deactivate = () => bench.deactivate(bench.account, id);

    await whileUncommitted(() => bench.replay(id, { from: at(hour), to: at(3) }), deactivate);
    bench.startWorker();
    await eventually(() => bench.allAre('failed'));

    expect(await bench.deliveryRows()).toHaveLength(3);
    expect(bench.shop.requests).toEqual([]);
    expect(await bench.queued()).toEqual([]);
  });

  it('broken off, has changed nothing', async () => {
    await bench.happen(...bench.steps(order));
    const { id } = await bench.register(bench.account, bench.shop.url);
    await bench.happen(statusChanged(bench.account));
    const state = async () => [
      await bench.rows('SELECT * FROM webhooks.deliveries ORDER BY id'),
      await bench.rows('SELECT * FROM platform.due_work ORDER BY key'),
    ];
    const before = await state();

    const broken = bench.platform.database.run(async () => {
      await bench.replay(id);
      const [row] = await bench.rows<{ id: number }>('SELECT pg_backend_pid() AS id');
      await bench.platform.dataSource.query('SELECT pg_terminate_backend($1)', [row!.id]);
      await bench.rows('SELECT 1');
    });

    await expect(broken).rejects.toThrow();
    expect(await state()).toEqual(before);
  });
});
