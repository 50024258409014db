import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type DeliveryId, type WebhookId } from '../../../../../shared/kernel/ids.js';
import { eventually, statusChanged } from '../../../testing/webhooks-fixture.js';
import { redeliveryBench, type RedeliveryBench } from '../../../testing/redelivery-fixture.js';

let bench: RedeliveryBench;
let id: WebhookId;

beforeEach(async () => {
  bench = await redeliveryBench();
  ({ id } = await bench.register(bench.account, bench.shop.url));
});
afterEach(() => bench.close());

describe('A resend', () => {
  it('sends what was delivered again, the same but for its signature', async () => {
    bench.startWorker();
    await bench.happen(statusChanged(bench.account));
    await eventually(async () => (await bench.deliveryRows())[0]!.status === 'delivered');
    const [before] = await bench.deliveryRows();
    await bench.platform.advance(60);

    const answer = await bench.resend(id, before!.id);
    await eventually(async () => (await bench.log()).length === 2);

    const [first, second] = bench.shop.requests;
    const [event] = await bench.rows<{ id: string; payment_request_id: string }>(
      'SELECT * FROM webhooks.events',
    );
    expect(answer).toEqual({
      ...{ id: before!.id, webhookId: id, eventId: event!.id, eventType: 'payment_request' },
      ...{ paymentRequestId: event!.payment_request_id, status: 'pending', createdAt: expect.any(Date) },
    });
    expect([second!.headers['webhook-id'], second!.body]).toEqual([event!.id, first!.body]);
    expect(second!.headers['x-request-signature']).not.toBe(first!.headers['x-request-signature']);
    expect(await bench.log()).toMatchObject([
      { attempt: 1, status: 'delivered' },
      { attempt: 2, status: 'delivered' },
    ]);
  });

  it('has the whole schedule before it, also where only the last attempt was left', async () => {
    bench.shop.answer = (_request, response) => response.writeHead(500).end();
    bench.startWorker();
    await bench.happen(statusChanged(bench.account));
    await eventually(async () => (await bench.log()).length === 1);
    await bench.platform.advance(7);
    await eventually(async () => (await bench.log()).length === 2);

    await bench.resend(id, (await bench.deliveryRows())[0]!.id);
    await eventually(async () => (await bench.log()).length === 3);

    const third = (await bench.log())[2]!;
    const wait = (third.next_attempt_at!.getTime() - third.created_at.getTime()) / 1000;
    expect(third.attempt).toBe(3);
    expect(wait).toBeGreaterThan(3.9);
    expect(wait).toBeLessThan(9);
  });

  it('leaves alone what is being attempted at this moment', async () => {
    await bench.happen(statusChanged(bench.account));
    const { now, claimed } = await bench.claim();
    const [{ work, delivery }] = claimed as [(typeof claimed)[0]];

    const answer = await bench.resend(id, delivery.id);
    const attempt = { deliveryId: delivery.id, number: 1, startedAt: now, durationMs: 1, httpStatus: 200 };
    await bench.queue.record([{ work, attempt: { ...attempt, status: 'delivered' } }]);

    expect(answer.status).toBe('pending');
    expect(await bench.deliveryRows()).toMatchObject([{ status: 'delivered' }]);
  });

  it('sends what waits in a replay at once, and what waits for it still waits', async () => {
    const order = newId<string>();
    await bench.happen(...bench.steps(order));
    await bench.replay(id);
    const [first, second, third] = await bench.deliveryRows();

    await bench.resend(id, second!.id);
    const { claimed } = await bench.claim();

    expect(claimed.map(({ delivery }) => delivery.id).sort()).toEqual([first!.id, second!.id].sort());
    expect((await bench.deliveryRows())[2]).toMatchObject({ id: third!.id, waits_for: second!.id });
  });

  it('finds only the deliveries of the webhook it is asked of', async () => {
    const other = await bench.register(bench.account, bench.shop.url);
    await bench.happen(statusChanged(bench.account));
    const of = await bench.rows<{ id: DeliveryId; webhook_id: string }>('SELECT * FROM webhooks.deliveries');
    const foreign = of.find((delivery) => delivery.webhook_id === other.id)!;

    await expect(bench.resend(id, foreign.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(bench.resend(id, newId())).rejects.toMatchObject({ code: 'not_found' });
    expect(await bench.rows('SELECT FROM platform.due_work')).toHaveLength(2);
  });

  it('counts once, however often it is asked for at once', async () => {
    bench.startWorker();
    await bench.happen(statusChanged(bench.account));
    await eventually(async () => (await bench.log()).length === 1);
    bench.shop.answer = () => undefined;
    const { id: delivery } = (await bench.deliveryRows())[0]!;

    await Promise.all(Array.from({ length: 8 }, () => bench.resend(id, delivery)));
    await eventually(async () => (await bench.log()).length === 2);

    expect(bench.shop.requests).toHaveLength(2);
  });
});
