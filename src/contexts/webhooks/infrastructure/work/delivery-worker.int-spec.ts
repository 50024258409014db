import { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '../../../../../test/support/open-database.js';
import { verifyWebhookSignature } from '../../../../../docs/receivers/verify-webhook.js';
import { anAccount, deliveryBench, eventually, statusChanged } from '../../testing/delivery-bench.js';
import { startReceiver, type ReceivedRequest, type Receiver } from '../../testing/receiver.js';
import { selfSignedCertificate } from '../../testing/self-signed-certificate.js';

interface AttemptRow {
  attempt: number;
  status: string;
  http_status: number | null;
  error: string | null;
  next_attempt_at: Date | null;
  created_at: Date;
  duration_ms: number;
}

const HOST = 'hooks.shop.example';
const certificate = selfSignedCertificate(HOST);
const account = anAccount();

let platform: TestPlatform;
let bench: ReturnType<typeof deliveryBench>;
let shop: Receiver;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  platform = await openTestDatabase();
  bench = deliveryBench(platform, { certificateAuthorities: [certificate.cert], deliveryConcurrency: 64 });
  shop = await startReceiver();
  stops = [() => shop.close()];
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  expect(await bench.broken()).toEqual([]);
  await platform.close();
});

const startWorker = () => {
  const worker = bench.startWorker();
  stops.push(() => worker.stop());
  return worker;
};
const attempts = () =>
  bench.rows<AttemptRow>('SELECT * FROM webhooks.delivery_attempts ORDER BY created_at, attempt');
const statuses = async () =>
  (await bench.rows<{ status: string }>('SELECT status FROM webhooks.deliveries')).map(
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
    const { secret } = await bench.register(account, shop.url);
    startWorker();

    await bench.happen(statusChanged(account, { referenceId: 'Ñ/"😀' }));
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
    await bench.register(account, shop.url);
    startWorker();
    await bench.happen(statusChanged(account));
    await eventually(ended);
    const waits: number[] = [];

    for (let n = 2; n <= 12; n += 1) {
      await bench.happen(statusChanged(account));
      const committed = performance.now();
      while (shop.requests.length < n) await pause(1);
      waits.push(performance.now() - committed);
    }

    await eventually(ended);
    expect(waits.sort((a, b) => a - b)[5]).toBeLessThan(30);
  });

  it('delivers a burst once each, over few connections', async () => {
    await bench.register(account, shop.url);
    startWorker();

    await bench.happen(...Array.from({ length: 150 }, () => statusChanged(account)));
    await bench.happen(...Array.from({ length: 150 }, () => statusChanged(account)));
    await eventually(ended);

    const ids = new Set(shop.requests.map(({ headers }) => headers['webhook-id']));
    expect([shop.requests.length, ids.size]).toEqual([300, 300]);
    // Sixteen at a time, and a second set while undici does not yet count the first as free.
    expect(shop.connections.accepted).toBeLessThanOrEqual(32);
  });

  it('shares the work among workers without doing any of it twice', async () => {
    await bench.register(account, shop.url);
    startWorker();
    startWorker();

    await bench.happen(...Array.from({ length: 200 }, () => statusChanged(account)));
    await eventually(ended);

    expect(shop.requests).toHaveLength(200);
  });
});

describe('Retrying', () => {
  it('follows the schedule, signs each attempt afresh under the same id, and fails after the tenth', async () => {
    const { secret } = await bench.register(account, shop.url);
    shop.answer = (_request, response) => response.writeHead(500).end();
    startWorker();
    await bench.happen(statusChanged(account));

    for (let n = 1; n <= 10; n += 1) {
      await eventually(async () => (await attempts()).length === n);
      const last = (await attempts()).at(-1)!;
      const now = await platform.clock.now();
      expect(verifies(shop.requests.at(-1)!, secret, now)).toBe(true);
      if (last.next_attempt_at === null) break;
      await pause(60);
      expect(shop.requests).toHaveLength(n);
      await platform.advance((last.next_attempt_at.getTime() - now.getTime()) / 1000);
    }

    const log = await attempts();
    expect(log.map(({ status }) => status)).toEqual([...Array<string>(9).fill('pending'), 'failed']);
    expect(log.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const planned = [5, 30, 120, 600, 1_800, 7_200, 21_600, 43_200, 86_400];
    planned.forEach((seconds, index) => {
      const { created_at: at, next_attempt_at: next, duration_ms: duration } = log[index]!;
      const waited = (next!.getTime() - at.getTime() - duration) / 1000;
      expect(waited / seconds).toBeGreaterThanOrEqual(0.799);
      expect(waited / seconds).toBeLessThanOrEqual(1.201);
    });
    expect(new Set(shop.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(shop.requests.map(({ headers }) => headers['x-request-signature'])).size).toBe(10);
  });

  it('delivers once the receiver is well again', async () => {
    await bench.register(account, shop.url);
    shop.answer = (_request, response) => response.writeHead(410).end();
    startWorker();
    await bench.happen(statusChanged(account));
    await eventually(async () => (await attempts()).length === 1);

    shop.answer = (_request, response) => response.end();
    await platform.advance(7);
    await eventually(ended);

    expect(await attempts()).toMatchObject([
      { attempt: 1, status: 'pending', http_status: 410, error: 'http_status' },
      { attempt: 2, status: 'delivered', http_status: 200 },
    ]);
  });
});

describe('A secret that cannot be opened', () => {
  it('fails the attempt by a word of its own, and the schedule goes on', async () => {
    Logger.overrideLogger(false);
    await bench.register(account, shop.url);
    const withoutTheKey = deliveryBench(platform).startWorker();
    stops.push(() => withoutTheKey.stop());

    await bench.happen(statusChanged(account));
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

describe('Where deliveries go', () => {
  it('is decided anew at each attempt: a name that moved inwards is not followed', async () => {
    const secure = await startReceiver(certificate);
    stops.push(() => secure.close());
    bench.resolver.state(HOST, '127.0.0.1');
    await bench.register(account, `https://${HOST}:${secure.port}/hooks`);
    startWorker();
    await bench.happen(statusChanged(account));
    await eventually(() => secure.requests.length === 1);
    await eventually(ended);

    for (const addresses of [['169.254.169.254'], ['127.0.0.1', '10.0.0.1'], ['::ffff:127.0.0.1']]) {
      bench.resolver.state(HOST, ...addresses);
      await bench.happen(statusChanged(account));
    }
    await eventually(async () => (await attempts()).length === 4);

    expect(secure.requests).toHaveLength(1);
    expect((await attempts()).slice(1)).toMatchObject(
      Array(3).fill({ status: 'pending', error: 'address_not_allowed' }),
    );
  });

  it('is logged in the same words when there is no such place', async () => {
    await bench.register(account, 'https://gone.shop.example/hooks');
    startWorker();

    await bench.happen(statusChanged(account));
    await eventually(async () => (await attempts()).length === 1);

    expect(await attempts()).toMatchObject([{ error: 'unresolvable', http_status: null, status: 'pending' }]);
  });
});
