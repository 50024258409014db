import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '../../../../../../test/support/open-database.js';
import { verifyWebhookSignature } from '../../../../../../docs/receivers/verify-webhook.js';
import { anAccount, statusChanged } from '../../../testing/payment-events.js';
import { webhooksFixture, eventually } from '../../../testing/webhooks-fixture.js';
import { startReceiver, type ReceivedRequest, type Receiver } from '../../../testing/receiver.js';

interface AttemptRow {
  attempt: number;
  status: string;
  http_status: number | null;
  error: string | null;
  next_attempt_at: Date | null;
}

const account = anAccount();

let platform: TestPlatform;
let fixture: ReturnType<typeof webhooksFixture>;
let shop: Receiver;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  platform = await openTestDatabase();
  fixture = webhooksFixture(platform, { deliveryConcurrency: 64 });
  shop = await startReceiver();
  stops = [() => shop.close()];
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  expect(await fixture.broken()).toEqual([]);
  await platform.close();
});

const startWorker = () => {
  const worker = fixture.startWorker();
  stops.push(() => worker.stop());
  return worker;
};
const attempts = () =>
  fixture.rows<AttemptRow>('SELECT * FROM webhooks.delivery_attempts ORDER BY created_at, attempt');
const statuses = async () =>
  (await fixture.rows<{ status: string }>('SELECT status FROM webhooks.deliveries')).map(
    ({ status }) => status,
  );
const ended = async () => {
  const all = await statuses();
  return all.length > 0 && !all.includes('pending');
};
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
    await platform.advance(86_400);
    const { secret } = await fixture.register(account, shop.url);
    startWorker();

    await fixture.happen(statusChanged(account, { referenceId: 'Ñ/"😀' }));
    await eventually(ended);

    const [request] = shop.requests;
    const now = await platform.clock.now();
    expect(request).toMatchObject({
      method: 'POST',
      path: '/hooks',
      headers: { 'content-type': 'application/json' },
    });
    expect(verifies(request!, secret, now)).toBe(true);
    expect(Math.abs(now.getTime() / 1000 - Number(request!.headers['x-request-timestamp']))).toBeLessThan(3);
    expect(await attempts()).toMatchObject([
      { attempt: 1, status: 'delivered', http_status: 200, error: null, next_attempt_at: null },
    ]);
  });

  it('starts within milliseconds of the event’s commit', async () => {
    await fixture.register(account, shop.url);
    startWorker();
    await fixture.happen(statusChanged(account));
    await eventually(ended);
    const waits: number[] = [];

    for (let n = 2; n <= 12; n += 1) {
      await fixture.happen(statusChanged(account));
      const committed = performance.now();
      while (shop.requests.length < n) await pause(1);
      waits.push(performance.now() - committed);
    }

    await eventually(ended);
    // One that had to wait for the next look would take forty each time; a busy machine does so only now and then.
    expect(waits.sort((a, b) => a - b)[2]).toBeLessThan(30);
  });

  it('delivers a burst once each, over few connections', async () => {
    await fixture.register(account, shop.url);
    startWorker();

    await fixture.happen(...Array.from({ length: 150 }, () => statusChanged(account)));
    await fixture.happen(...Array.from({ length: 150 }, () => statusChanged(account)));
    await eventually(ended);

    const ids = new Set(shop.requests.map(({ headers }) => headers['webhook-id']));
    expect([shop.requests.length, ids.size]).toEqual([300, 300]);
    // Sixteen at a time, and a second set while undici does not yet count the first as free.
    expect(shop.connections.accepted).toBeLessThanOrEqual(32);
  });

  it('shares the work among workers without doing any of it twice', async () => {
    await fixture.register(account, shop.url);
    startWorker();
    startWorker();

    await fixture.happen(...Array.from({ length: 200 }, () => statusChanged(account)));
    await eventually(ended);

    expect(shop.requests).toHaveLength(200);
  });
});

describe('A secret that cannot be opened', () => {
  it('fails the attempt by a word of its own, and the schedule goes on', async () => {
    Logger.overrideLogger(false);
    await fixture.register(account, shop.url);
    const withoutTheKey = webhooksFixture(platform).startWorker();
    stops.push(() => withoutTheKey.stop());

    await fixture.happen(statusChanged(account));
    await eventually(async () => (await attempts()).length === 1);
    await platform.advance(7);
    await eventually(async () => (await attempts()).length === 2);

    Logger.overrideLogger(['error', 'warn']);
    expect(shop.requests).toEqual([]);
    expect(await attempts()).toMatchObject([
      { attempt: 1, status: 'pending', error: 'secret_unavailable', http_status: null },
      { attempt: 2, status: 'pending', error: 'secret_unavailable', http_status: null },
    ]);
  });
});
