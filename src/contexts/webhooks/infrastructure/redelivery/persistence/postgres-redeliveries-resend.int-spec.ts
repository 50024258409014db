import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type DeliveryId, type WebhookId } from '#shared/kernel/ids.js';
import { statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { redeliveryFixture, type RedeliveryFixture } from '#contexts/webhooks/testing/redelivery-fixture.js';

let fixture: RedeliveryFixture;
let id: WebhookId;

beforeEach(async () => {
  fixture = await redeliveryFixture();
  ({ id } = await fixture.register(fixture.account, fixture.shop.url));
});
afterEach(() => fixture.close());

describe('A resend', () => {
  it('sends what was delivered again, the same but for its signature', async () => {
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

  it('has the whole schedule before it, also where only the last attempt was left', async () => {
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

  it('leaves alone what is being attempted at this moment', async () => {
    await fixture.happen(statusChanged(fixture.account));
    const { now, claimed } = await fixture.claim();
    const [{ work, delivery }] = claimed as [(typeof claimed)[0]];

    const answer = await fixture.resend(id, delivery.id);
    const attempt = { deliveryId: delivery.id, number: 1, startedAt: now, durationMs: 1, httpStatus: 200 };
    await fixture.queue.record([{ work, attempt: { ...attempt, status: 'delivered' } }]);

    expect(answer.status).toBe('pending');
    expect(await fixture.deliveryRows()).toMatchObject([{ status: 'delivered' }]);
  });

  it('sends what waits in a replay at once, and what waits for it still waits', async () => {
    const order = newId<string>();
    await fixture.happen(...fixture.steps(order));
    await fixture.replay(id);
    const [first, second, third] = await fixture.deliveryRows();

    await fixture.resend(id, second!.id);
    const { claimed } = await fixture.claim();

    expect(claimed.map(({ delivery }) => delivery.id).sort()).toEqual([first!.id, second!.id].sort());
    expect((await fixture.deliveryRows())[2]).toMatchObject({ id: third!.id, waitsFor: second!.id });
  });

  it('finds only the deliveries of the webhook it is asked of', async () => {
    const other = await fixture.register(fixture.account, fixture.shop.url);
    await fixture.happen(statusChanged(fixture.account));
    const of = await fixture.rows<{ id: DeliveryId; webhookId: string }>('SELECT * FROM webhooks.deliveries');
    const foreign = of.find((delivery) => delivery.webhookId === other.id)!;

    await expect(fixture.resend(id, foreign.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(fixture.resend(id, newId())).rejects.toMatchObject({ code: 'not_found' });
    expect(await fixture.rows('SELECT FROM platform.due_work')).toHaveLength(2);
  });

  it('counts once, however often it is asked for at once', async () => {
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
