import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { deliverMarker } from '#contexts/webhooks/testing/deliver-marker.js';
import { HeldDeadline } from '#contexts/webhooks/testing/held-deadline.js';
import { eventually } from '#test/support/eventually.js';
import {
  deliveryWorkerFixture,
  type DeliveryWorkerFixture,
} from '#contexts/webhooks/testing/delivery-worker-fixture.js';
import { startReceiver } from '#contexts/webhooks/testing/receiver.js';

const account = anAccount();

let fixture: DeliveryWorkerFixture;
beforeEach(async () => void (fixture = await deliveryWorkerFixture()));
afterEach(() => fixture.close());

describe('Webhooks side by side', () => {
  it.each(['another host', 'the same host'])(
    'do not wait for one of %s that hangs, however much it has waiting',
    async (where) => {
      const hanging = where === 'the same host' ? fixture.shop : await startReceiver();
      fixture.stopAtEnd(() => hanging.close());
      hanging.answer = (request, response) => void (request.url === '/hanging' || response.end());
      const hung = () => hanging.requests.filter(({ path }) => path === '/hanging').length;
      const received = () => fixture.shop.requests.filter(({ path }) => path === '/hooks').length;
      const other = anAccount();
      await fixture.register(account, hanging.url.replace('/hooks', '/hanging'));
      await fixture.register(other, fixture.shop.url);
      await fixture.happen(...Array.from({ length: 190 }, () => statusChanged(account)));
      const deadline = new HeldDeadline();
      fixture.startWorker();
      fixture.stopAtEnd(async () => deadline.letGo());
      await eventually(() => hung() === 2);

      await fixture.happen(...Array.from({ length: 40 }, () => statusChanged(other)));
      await eventually(() => received() === 40);

      expect(hung()).toBe(2);
    },
  );
});

describe('Many webhooks that hang', () => {
  it('leave room for one that works', async () => {
    const hanging = await startReceiver();
    fixture.stopAtEnd(() => hanging.close());
    hanging.answer = () => undefined;
    const deadline = new HeldDeadline();
    await fixture.register(account, fixture.shop.url);
    fixture.startWorker();
    fixture.stopAtEnd(async () => deadline.letGo());
    await fixture.happen(...Array.from({ length: 10 }, () => statusChanged(account)));
    await eventually(fixture.ended);
    const others = Array.from({ length: 100 }, anAccount);
    for (const other of others) await fixture.register(other, hanging.url);
    await fixture.happen(...others.flatMap((other) => [statusChanged(other), statusChanged(other)]));
    await eventually(() => hanging.requests.length >= 32);

    await fixture.happen(...Array.from({ length: 50 }, () => statusChanged(account)));

    await eventually(() => fixture.shop.requests.length === 60);
  });
});

describe('A worker that ends', () => {
  it('finishes and records what it has begun', async () => {
    await fixture.register(account, fixture.shop.url);
    fixture.shop.answer = (_request, response) => void setTimeout(() => response.end(), 400);
    const worker = fixture.startWorker();
    await fixture.happen(...Array.from({ length: 20 }, () => statusChanged(account)));
    await eventually(() => fixture.shop.requests.length === 2);

    await worker.stop();

    const claims = await fixture.rows('SELECT 1 FROM platform.due_work WHERE claim IS NOT NULL');
    expect(claims).toEqual([]);
    expect((await fixture.statuses()).filter((status) => status === 'delivered')).toHaveLength(
      fixture.shop.requests.length,
    );
  });

  it('killed after its claim, leaves the delivery to another within ten seconds; its late record changes nothing', async () => {
    await fixture.register(account, fixture.shop.url);
    await fixture.happen(statusChanged(account));
    const { now, claimed } = await fixture.queue.claim(10, { of: new Map(), ofOthers: 10 });
    // When claims lapse: `Claimed work` of due-work.
    await fixture.claimsLapse(3_600);
    fixture.startWorker();
    await deliverMarker(fixture);
    const sentWhileItWasClaimed = fixture.shop.requests.length;
    await fixture.claimsLapse(-1);

    await eventually(fixture.ended);

    expect([sentWhileItWasClaimed, fixture.shop.requests.length]).toEqual([0, 1]);
    const [{ work, delivery }] = claimed as [(typeof claimed)[0]];
    const late = { deliveryId: delivery.id, number: 1, startedAt: now, durationMs: 1 };
    await fixture.queue.record([{ work, attempt: { ...late, status: 'failed', error: 'timeout' } }]);
    await fixture.queue.record([
      { work, attempt: { ...late, status: 'pending', error: 'timeout', nextAttemptAt: now } },
    ]);
    expect(await fixture.attempts()).toMatchObject(Array(2).fill({ attempt: 1, status: 'delivered' }));
    expect(await fixture.statuses()).toEqual(['delivered', 'delivered']);
  });

  it('keeps what it could not record for a moment, and does not send it again', async () => {
    await fixture.register(account, fixture.shop.url);
    fixture.startWorker();
    Logger.overrideLogger(false);
    await fixture.rows('ALTER TABLE webhooks.delivery_attempts RENAME TO away');
    await fixture.happen(statusChanged(account));
    await eventually(() => fixture.shop.requests.length === 1);
    await pause(300);

    expect(await fixture.statuses()).toEqual(['pending']);
    await fixture.rows('ALTER TABLE webhooks.away RENAME TO delivery_attempts');
    await eventually(fixture.ended);

    Logger.overrideLogger(['error', 'warn']);
    expect(fixture.shop.requests).toHaveLength(1);
    expect(await fixture.attempts()).toMatchObject([{ attempt: 1, status: 'delivered' }]);
  });

  it('cannot have its log rewritten', async () => {
    await fixture.register(account, fixture.shop.url);
    fixture.startWorker();
    await fixture.happen(statusChanged(account));
    await eventually(fixture.ended);

    await expect(fixture.rows(`UPDATE webhooks.delivery_attempts SET http_status = 500`)).rejects.toThrow(
      /append-only/,
    );
    await expect(fixture.rows(`DELETE FROM webhooks.delivery_attempts`)).rejects.toThrow(/append-only/);
  });
});
