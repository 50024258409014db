import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type DeliveryId } from '#shared/kernel/ids.js';
import { statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import {
  ALL,
  redeliveryFixture,
  type RedeliveryFixture,
} from '#contexts/webhooks/testing/redelivery-fixture.js';

let fixture: RedeliveryFixture;
let order: string;

beforeEach(async () => {
  fixture = await redeliveryFixture();
  order = newId();
});
afterEach(() => fixture.close());

const acknowledge: RedeliveryFixture['acknowledge'] = (claimed) => fixture.acknowledge(claimed);
const whileUncommitted: RedeliveryFixture['whileUncommitted'] = (first, second) =>
  fixture.whileUncommitted(first, second);

describe('A replay among others', () => {
  it('leaves alone what is being attempted, and what follows waits for it', async () => {
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.happen(fixture.steps(order)[0]!);
    const { claimed } = await fixture.claim();
    await fixture.happen(fixture.steps(order)[1]!);

    await fixture.replay(id);
    const afterReplay = await fixture.queued();
    await acknowledge(claimed[0]!);

    const [first, second] = await fixture.deliveryRows();
    expect(afterReplay).toEqual([first!.id]);
    expect([first!.status, second!.status]).toEqual(['delivered', 'pending']);
    expect(await fixture.queued()).toEqual([second!.id]);
  });

  it('finds what a worker releases in the same moment', async () => {
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.happen(...fixture.steps(order));
    await fixture.replay(id);
    const { claimed } = await fixture.claim();

    await whileUncommitted(
      () => acknowledge(claimed[0]!),
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

  it('finds what the subscriber queues in the same moment', async () => {
    await fixture.happen(...fixture.steps(order));
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    const events = await fixture.rows<{ id: string; body: string }>(
      'SELECT * FROM webhooks.events ORDER BY number',
    );
    const late = events.map(({ id: eventId, body }) => ({
      ...{ id: newId<DeliveryId>(), ...fixture.account, webhookId: id, eventId, body },
      ...{ eventType: 'payment_request' as const, paymentRequestId: order as never },
    }));

    await whileUncommitted(
      () => fixture.deliveries.queue(late),
      () => fixture.replay(id),
    );

    const [first, second] = late;
    expect((await fixture.deliveryRows()).map((delivery) => [delivery.id, delivery.waitsFor])).toEqual([
      [first!.id, null],
      [second!.id, first!.id],
      [late[2]!.id, second!.id],
    ]);
    expect(await fixture.queued()).toEqual([first!.id]);
  });

  it('lets a follower go whose predecessor’s end waited for it', async () => {
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.happen(fixture.steps(order)[0]!);
    const { claimed } = await fixture.claim();
    await fixture.happen(fixture.steps(order)[1]!);

    await whileUncommitted(
      () => fixture.replay(id),
      () => acknowledge(claimed[0]!),
    );

    const [, second] = await fixture.deliveryRows();
    expect(await fixture.queued()).toEqual([second!.id]);
  });

  it('asked for many times at once, sends each event once', async () => {
    await fixture.happen(...Array.from({ length: 20 }, () => fixture.steps(newId())).flat());
    const { id } = await fixture.register(fixture.account, fixture.shop.url);

    const replayed = await Promise.all(Array.from({ length: 6 }, () => fixture.replay(id)));
    fixture.startWorker();
    await eventually(() => fixture.allAre('delivered'));

    expect(replayed).toEqual(Array(6).fill(60));
    expect(fixture.shop.requests).toHaveLength(60);
  });

  it('of another replica is refused for the moment, and waits for nobody', async () => {
    await fixture.happen(...fixture.steps(order));
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    const webhook = await fixture.webhooks.find(fixture.account, id);
    const refusals: unknown[] = [];

    await whileUncommitted(
      () => fixture.redeliveries.replay(webhook, ALL),
      () => fixture.replay(id).catch((error: unknown) => refusals.push(error)),
    );

    expect(refusals).toMatchObject([{ kind: 'unavailable' }]);
  });

  it('and among workers that record and events that happen, loses nothing', async () => {
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
    ['of the same deliveries', 0],
    ['of what follows those that wait', 1],
  ])('%s and its webhook’s end in the same moment, leave nothing waiting', async (_, hour) => {
    const at = (hours: number) => new Date(Date.UTC(2026, 4, 1, hours));
    await fixture.happen(
      ...fixture.steps(order).map((event, index) => ({ ...event, occurredAt: at(index) })),
    );
    const { id } = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.replay(id, { from: at(0), to: at(2) });
    const deactivate = () => fixture.deactivate(fixture.account, id);

    await whileUncommitted(() => fixture.replay(id, { from: at(hour), to: at(3) }), deactivate);
    fixture.startWorker();
    await eventually(() => fixture.allAre('failed'));

    expect(await fixture.deliveryRows()).toHaveLength(3);
    expect(fixture.shop.requests).toEqual([]);
    expect(await fixture.queued()).toEqual([]);
  });

  it('broken off, has changed nothing', async () => {
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
