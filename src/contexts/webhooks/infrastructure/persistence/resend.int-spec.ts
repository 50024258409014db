import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '../../../../../test/support/open-database.js';
import { newId, type DeliveryId, type WebhookId } from '../../../../shared/kernel/ids.js';
import { anAccount, deliveryBench, eventually, statusChanged } from '../../testing/delivery-bench.js';
import { startReceiver, type Receiver } from '../../testing/receiver.js';

const account = anAccount();
const ALL = { from: new Date(0), to: new Date('2999-01-01') };

let platform: TestPlatform;
let bench: ReturnType<typeof deliveryBench>;
let shop: Receiver;
let stops: (() => Promise<void>)[];
let id: WebhookId;

beforeEach(async () => {
  platform = await openTestDatabase();
  bench = deliveryBench(platform);
  shop = await startReceiver();
  stops = [() => shop.close()];
  ({ id } = await bench.register(account, shop.url));
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  await platform.close();
});

const startWorker = () => {
  const worker = bench.startWorker();
  stops.push(() => worker.stop());
};
const resend = (delivery: DeliveryId, webhook = id) =>
  platform.database.run(async () =>
    bench.redeliveries.resend(await bench.webhooks.find(account, webhook), delivery),
  );
const deliveries = () =>
  bench.rows<{ id: DeliveryId; status: string; waits_for: DeliveryId | null }>(
    `SELECT d.* FROM webhooks.deliveries d JOIN webhooks.events e ON e.id = d.event_id ORDER BY e.number`,
  );
const log = () =>
  bench.rows<{ attempt: number; status: string; next_attempt_at: Date | null; created_at: Date }>(
    'SELECT * FROM webhooks.delivery_attempts ORDER BY attempt',
  );
const claim = () => bench.queue.claim(10, { of: new Map(), ofOthers: 10 });

describe('A resend', () => {
  it('sends what was delivered again, the same but for its signature', async () => {
    startWorker();
    await bench.happen(statusChanged(account));
    await eventually(async () => (await deliveries())[0]!.status === 'delivered');
    const [before] = await deliveries();
    await platform.advance(60);

    const answer = await resend(before!.id);
    await eventually(async () => (await log()).length === 2);

    const [first, second] = shop.requests;
    const [event] = await bench.rows<{ id: string; payment_request_id: string }>(
      'SELECT * FROM webhooks.events',
    );
    expect(answer).toEqual({
      ...{ id: before!.id, webhookId: id, eventId: event!.id, eventType: 'payment_request' },
      ...{ paymentRequestId: event!.payment_request_id, status: 'pending', createdAt: expect.any(Date) },
    });
    expect([second!.headers['webhook-id'], second!.body]).toEqual([event!.id, first!.body]);
    expect(second!.headers['x-request-signature']).not.toBe(first!.headers['x-request-signature']);
    expect(await log()).toMatchObject([
      { attempt: 1, status: 'delivered' },
      { attempt: 2, status: 'delivered' },
    ]);
  });

  it('has the whole schedule before it, also where only the last attempt was left', async () => {
    shop.answer = (_request, response) => response.writeHead(500).end();
    startWorker();
    await bench.happen(statusChanged(account));
    await eventually(async () => (await log()).length === 1);
    await platform.advance(7);
    await eventually(async () => (await log()).length === 2);

    await resend((await deliveries())[0]!.id);
    await eventually(async () => (await log()).length === 3);

    const third = (await log())[2]!;
    const wait = (third.next_attempt_at!.getTime() - third.created_at.getTime()) / 1000;
    expect(third.attempt).toBe(3);
    expect(wait).toBeGreaterThan(3.9);
    expect(wait).toBeLessThan(9);
  });

  it('leaves alone what is being attempted at this moment', async () => {
    await bench.happen(statusChanged(account));
    const { now, claimed } = await claim();
    const [{ work, delivery }] = claimed as [(typeof claimed)[0]];

    const answer = await resend(delivery.id);
    const attempt = { deliveryId: delivery.id, number: 1, startedAt: now, durationMs: 1, httpStatus: 200 };
    await bench.queue.record([{ work, attempt: { ...attempt, status: 'delivered' } }]);

    expect(answer.status).toBe('pending');
    expect(await deliveries()).toMatchObject([{ status: 'delivered' }]);
  });

  it('sends what waits in a replay at once, and what waits for it still waits', async () => {
    const order = newId<string>();
    const statuses = ['processing', 'underpaid', 'completed'] as const;
    await bench.happen(...statuses.map((status) => statusChanged(account, { status }, order)));
    const webhook = await bench.webhooks.find(account, id);
    await platform.database.run(() => bench.redeliveries.replay(webhook, ALL));
    const [first, second, third] = await deliveries();

    await resend(second!.id);
    const { claimed } = await claim();

    expect(claimed.map(({ delivery }) => delivery.id).sort()).toEqual([first!.id, second!.id].sort());
    expect((await deliveries())[2]).toMatchObject({ id: third!.id, waits_for: second!.id });
  });

  it('finds only the deliveries of the webhook it is asked of', async () => {
    const other = await bench.register(account, shop.url);
    await bench.happen(statusChanged(account));
    const of = await bench.rows<{ id: DeliveryId; webhook_id: string }>('SELECT * FROM webhooks.deliveries');
    const foreign = of.find((delivery) => delivery.webhook_id === other.id)!;

    await expect(resend(foreign.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(resend(newId())).rejects.toMatchObject({ code: 'not_found' });
    expect(await bench.rows('SELECT FROM platform.due_work')).toHaveLength(2);
  });

  it('counts once, however often it is asked for at once', async () => {
    startWorker();
    await bench.happen(statusChanged(account));
    await eventually(async () => (await log()).length === 1);
    shop.answer = () => undefined;
    const { id: delivery } = (await deliveries())[0]!;

    await Promise.all(Array.from({ length: 8 }, () => resend(delivery)));
    await eventually(async () => (await log()).length === 2);

    expect(shop.requests).toHaveLength(2);
  });
});
