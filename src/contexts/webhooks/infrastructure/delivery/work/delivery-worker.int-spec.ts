import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HeldTimers } from '#test/support/held-timers.js';
import { verifyWebhookSignature } from '../../../../../../docs/receivers/verify-webhook.js';
import { anAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { HeldDeadline } from '#contexts/webhooks/testing/held-deadline.js';
import { eventually } from '#test/support/eventually.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import {
  deliveryWorkerFixture,
  type DeliveryWorkerFixture,
} from '#contexts/webhooks/testing/delivery-worker-fixture.js';
import { type ReceivedRequest } from '#contexts/webhooks/testing/receiver.js';

const account = anAccount();
/** A worker looks at the queue so often, in milliseconds. */
const LOOK_EVERY_MS = 40;

let fixture: DeliveryWorkerFixture;
let deadline: HeldDeadline;
beforeEach(async () => {
  fixture = await deliveryWorkerFixture();
  deadline = new HeldDeadline();
});
afterEach(() => {
  deadline.letGo();
  return fixture.close();
});

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
    const before = await fixture.platform.clock.now();
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
    const signedAt = Number(request!.headers['x-request-timestamp']) * 1_000;
    expect(signedAt).toBeGreaterThan(before.getTime() - 1_000);
    expect(signedAt).toBeLessThanOrEqual(now.getTime());
    expect(await fixture.attempts()).toMatchObject([
      { attempt: 1, status: 'delivered', httpStatus: 200, error: null, nextAttemptAt: null },
    ]);
  });

  it('starts with the event’s commit, not with the next look at the queue', async () => {
    await fixture.register(account, fixture.shop.url);
    const timers = new HeldTimers();
    fixture.startWorker();

    for (let n = 1; n <= 3; n += 1) {
      await timers.untilAsked(LOOK_EVERY_MS, n);
      await fixture.happen(statusChanged(account));
      await timers.until(() => fixture.shop.requests.length === n);
    }

    timers.release();
    await eventually(fixture.ended);
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
      { attempt: 1, status: 'pending', error: 'secret_unavailable', httpStatus: null },
      { attempt: 2, status: 'pending', error: 'secret_unavailable', httpStatus: null },
    ]);
  });
});
