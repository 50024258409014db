import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import { HeldTimers } from '#test/support/held-timers.js';
import { verifyWebhookSignature } from '../../../../../../docs/receivers/verify-webhook.js';
import { deliveryFixture, type DeliveryFixture } from '#contexts/webhooks/testing/delivery-fixture.js';
import { HeldDeadline } from '#contexts/webhooks/testing/held-deadline.js';
import { newAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';

/** Milliseconds between two polls of the queue. */
/** Pauses of an idle worker, and of one within a second of its last delivery. */
const POLLS_MS = [40, 10];
let fixture: DeliveryFixture;
let account: DeliveryFixture['account'];
let deadline: HeldDeadline;

beforeEach(async () => {
  fixture = await deliveryFixture({ deliveryConcurrency: 64 });
  account = fixture.account;
  deadline = new HeldDeadline();
});
afterEach(() => {
  deadline.fireDeadlines();
  return fixture.close();
});

const happen = (count: number, of = account) =>
  fixture.happen(...Array.from({ length: count }, () => statusChanged(of)));

describe('A delivery', () => {
  it('is signed with the secret and the clock of the service, and its acknowledgement is recorded', async () => {
    await fixture.platform.advance(86_400);
    const before = await fixture.platform.clock.now();
    const { secret } = await fixture.register(account, fixture.shop.url);
    fixture.startWorker();
    await fixture.happen(statusChanged(account, { referenceId: 'Ñ/"😀' }));
    await eventually(fixture.ended);

    const [{ method, path, headers, body }] = fixture.shop.requests as [(typeof fixture.shop.requests)[0]];
    const now = await fixture.platform.clock.now();
    const [signature, timestamp] = [headers['x-request-signature'], headers['x-request-timestamp']].map(
      String,
    );
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hooks', 'application/json']);
    expect(verifyWebhookSignature({ body, signature: signature!, timestamp: timestamp!, secret, now })).toBe(
      true,
    );
    const signedAt = Number(timestamp) * 1_000;
    expect(signedAt).toBeGreaterThan(before.getTime() - 1_000);
    expect(signedAt).toBeLessThanOrEqual(now.getTime());
    expect(await fixture.log()).toMatchObject([
      { attempt: 1, status: 'delivered', httpStatus: 200, error: null, nextAttemptAt: null },
    ]);
  });

  it('starts after the commit of the event, without waiting for the next poll', async () => {
    await fixture.register(account, fixture.shop.url);
    const timers = new HeldTimers();
    fixture.startWorker();
    for (let n = 1; n <= 3; n += 1) {
      await timers.until(() => timers.asked.filter((ms) => POLLS_MS.includes(ms)).length >= n);
      await happen(1);
      await timers.until(() => fixture.shop.requests.length === n);
    }
    timers.release();
    await eventually(fixture.ended);
  });

  it('is made once by two workers, over few connections', async () => {
    await fixture.register(account, fixture.shop.url);
    fixture.startWorker();
    fixture.startWorker();
    await happen(100);
    await happen(100);
    await eventually(fixture.ended);

    const ids = new Set(fixture.shop.requests.map(({ headers }) => headers['webhook-id']));
    expect([fixture.shop.requests.length, ids.size]).toEqual([200, 200]);
    // Two workers use sixteen connections each, or twice as many while undici does not yet consider the first sixteen
    // free.
    expect(fixture.shop.connections.accepted).toBeLessThanOrEqual(64);
  });

  it('fails for a secret that cannot be opened, and is tried again', async () => {
    Logger.overrideLogger(false);
    await fixture.register(account, fixture.shop.url);
    const withoutTheKey = webhooksFixture(fixture.platform).startWorker();
    fixture.stopAtEnd(() => withoutTheKey.stop());
    await happen(1);
    await eventually(async () => (await fixture.log()).length === 1);
    await fixture.platform.advance(7);
    await eventually(async () => (await fixture.log()).length === 2);
    Logger.overrideLogger(['error', 'warn']);

    const failed = { status: 'pending', error: 'secret_unavailable', httpStatus: null };
    expect(await fixture.log()).toMatchObject([failed, failed]);
    expect(fixture.shop.requests).toEqual([]);
  });
});

describe('A webhook that hangs', () => {
  it('does not delay another webhook of the same host, however many deliveries it has', async () => {
    const { shop } = fixture;
    shop.answer = (request, response) => void (request.url === '/hanging' || response.end());
    const received = (where: string) => shop.requests.filter(({ path }) => path === where).length;
    const other = newAccount();
    await fixture.register(account, shop.url.replace('/hooks', '/hanging'));
    await fixture.register(other, shop.url);
    await happen(190);
    fixture.startWorker();
    await eventually(() => received('/hanging') === 2);
    await happen(40, other);

    await eventually(() => received('/hooks') === 40);
    expect(received('/hanging')).toBe(2);
  });
});

describe('A worker', () => {
  it('finishes and records its attempts when it stops', async () => {
    await fixture.register(account, fixture.shop.url);
    fixture.shop.answer = (_request, response) => void setTimeout(() => response.end(), 400);
    const worker = fixture.startWorker();
    await happen(20);
    await eventually(() => fixture.shop.requests.length === 2);
    await worker.stop();

    expect(await fixture.rows('SELECT FROM platform.due_work WHERE claim IS NOT NULL')).toEqual([]);
    const delivered = (await fixture.statuses()).filter((status) => status === 'delivered');
    expect(delivered).toHaveLength(fixture.shop.requests.length);
  });

  it('takes over the claim of a killed worker, whose late record changes nothing', async () => {
    await fixture.register(account, fixture.shop.url);
    await happen(1);
    const { now, claimed } = await fixture.claim();
    await fixture.claimsLapse(3_600);
    fixture.startWorker();
    await fixture.deliverMarker();
    const sentWhileItWasClaimed = fixture.shop.requests.length;
    await fixture.claimsLapse(-1);
    await eventually(fixture.ended);

    expect([sentWhileItWasClaimed, fixture.shop.requests.length]).toEqual([0, 1]);
    const [{ work, delivery }] = claimed as [(typeof claimed)[0]];
    const late = {
      deliveryId: delivery.id,
      number: 1,
      startedAt: now,
      durationMs: 1,
      error: 'timeout',
    } as const;
    await fixture.queue.recordAttempts([{ work, attempt: { ...late, status: 'failed' } }]);
    await fixture.queue.recordAttempts([
      { work, attempt: { ...late, status: 'pending', nextAttemptAt: now } },
    ]);
    expect(await fixture.log()).toMatchObject(Array(2).fill({ attempt: 1, status: 'delivered' }));
    expect(await fixture.statuses()).toEqual(['delivered', 'delivered']);
  });

  it('keeps an attempt that it cannot record yet, and does not send it again', async () => {
    await fixture.register(account, fixture.shop.url);
    fixture.startWorker();
    Logger.overrideLogger(false);
    await fixture.rows('ALTER TABLE webhooks.delivery_attempts RENAME TO away');
    await happen(1);
    await eventually(() => fixture.shop.requests.length === 1);
    await pause(300);
    expect(await fixture.statuses()).toEqual(['pending']);
    await fixture.rows('ALTER TABLE webhooks.away RENAME TO delivery_attempts');
    await eventually(fixture.ended);
    Logger.overrideLogger(['error', 'warn']);

    expect(fixture.shop.requests).toHaveLength(1);
    expect(await fixture.log()).toMatchObject([{ attempt: 1, status: 'delivered' }]);
  });
});
