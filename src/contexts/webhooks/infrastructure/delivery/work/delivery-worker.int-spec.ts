import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { verifyWebhookSignature } from '../../../../../../docs/receivers/verify-webhook.js';
import { anAccount, statusChanged } from '../../../testing/payment-events.js';
import { webhooksFixture, eventually } from '../../../testing/webhooks-fixture.js';
import {
  deliveryWorkerFixture,
  type DeliveryWorkerFixture,
} from '../../../testing/delivery-worker-fixture.js';
import { type ReceivedRequest } from '../../../testing/receiver.js';

const account = anAccount();

let fixture: DeliveryWorkerFixture;
beforeEach(async () => void (fixture = await deliveryWorkerFixture()));
afterEach(() => fixture.close());

const verifies = ({ body, headers }: ReceivedRequest, secret: string, now: Date) =>
  verifyWebhookSignature({
    body,
    signature: String(headers['x-request-signature']),
    timestamp: String(headers['x-request-timestamp']),
    secret,
    now,
  });

describe('Delivering', () => {
  it('signs with the secret and the service’s clock, and records the acknowledgement', async () => {
    await fixture.platform.advance(86_400);
    const { secret } = await fixture.register(account, fixture.shop.url);
    fixture.startWorker();

    await fixture.happen(statusChanged(account, { referenceId: 'Ñ/"😀' }));
    await eventually(fixture.ended);

    const [request] = fixture.shop.requests;
    const now = await fixture.platform.clock.now();
    expect(request).toMatchObject({
      method: 'POST',
      path: '/hooks',
      headers: { 'content-type': 'application/json' },
    });
    expect(verifies(request!, secret, now)).toBe(true);
    expect(Math.abs(now.getTime() / 1000 - Number(request!.headers['x-request-timestamp']))).toBeLessThan(3);
    expect(await fixture.attempts()).toMatchObject([
      { attempt: 1, status: 'delivered', http_status: 200, error: null, next_attempt_at: null },
    ]);
  });

  it('starts within milliseconds of the event’s commit', async () => {
    await fixture.register(account, fixture.shop.url);
    fixture.startWorker();
    await fixture.happen(statusChanged(account));
    await eventually(fixture.ended);
    const waits: number[] = [];

    for (let n = 2; n <= 12; n += 1) {
      await fixture.happen(statusChanged(account));
      const committed = performance.now();
      while (fixture.shop.requests.length < n) await pause(1);
      waits.push(performance.now() - committed);
    }

    await eventually(fixture.ended);
    // One that had to wait for the next look would take forty each time; a busy machine does so only now and then.
    expect(waits.sort((a, b) => a - b)[2]).toBeLessThan(30);
  });

  it('delivers a burst once each, over few connections', async () => {
    await fixture.register(account, fixture.shop.url);
    fixture.startWorker();

    await fixture.happen(...Array.from({ length: 150 }, () => statusChanged(account)));
    await fixture.happen(...Array.from({ length: 150 }, () => statusChanged(account)));
    await eventually(fixture.ended);

    const ids = new Set(fixture.shop.requests.map(({ headers }) => headers['webhook-id']));
    expect([fixture.shop.requests.length, ids.size]).toEqual([300, 300]);
    // Sixteen at a time, and a second set while undici does not yet count the first as free.
    expect(fixture.shop.connections.accepted).toBeLessThanOrEqual(32);
  });

  it('shares the work among workers without doing any of it twice', async () => {
    await fixture.register(account, fixture.shop.url);
    fixture.startWorker();
    fixture.startWorker();

    await fixture.happen(...Array.from({ length: 200 }, () => statusChanged(account)));
    await eventually(fixture.ended);

    expect(fixture.shop.requests).toHaveLength(200);
  });
});

describe('A secret that cannot be opened', () => {
  it('fails the attempt by a word of its own, and the schedule goes on', async () => {
    Logger.overrideLogger(false);
    await fixture.register(account, fixture.shop.url);
    const withoutTheKey = webhooksFixture(fixture.platform).startWorker();
    fixture.stopAtEnd(() => withoutTheKey.stop());

    await fixture.happen(statusChanged(account));
    await eventually(async () => (await fixture.attempts()).length === 1);
    await fixture.platform.advance(7);
    await eventually(async () => (await fixture.attempts()).length === 2);

    Logger.overrideLogger(['error', 'warn']);
    expect(fixture.shop.requests).toEqual([]);
    expect(await fixture.attempts()).toMatchObject([
      { attempt: 1, status: 'pending', error: 'secret_unavailable', http_status: null },
      { attempt: 2, status: 'pending', error: 'secret_unavailable', http_status: null },
    ]);
  });
});
