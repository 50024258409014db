import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '../../../../../test/support/open-database.js';
import { deliveryBench, eventually, statusChanged } from '../../testing/delivery-bench.js';
import { startReceiver, type Receiver } from '../../testing/receiver.js';
import { startWebhookApi, type WebhookApi } from '../../testing/webhook-api.js';

const DAY = 86_400;
const secretKeys = [{ id: 'test', secret: randomBytes(32) }];
const INACTIVE = {
  status: 'failed',
  error: 'webhook_inactive',
  http_status: null,
  duration_ms: null,
  next_attempt_at: null,
};

let platform: TestPlatform;
let api: WebhookApi;
let bench: ReturnType<typeof deliveryBench>;
let shop: Receiver;
let id: string;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform, { secretKeys });
  bench = deliveryBench(platform, { secretKeys });
  shop = await startReceiver();
  stops = [() => shop.close()];
  ({ id } = await api.register(shop.url));
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  expect(await bench.broken()).toEqual([]);
  await api.close();
  await platform.close();
});

const startWorker = () => {
  const worker = bench.startWorker();
  stops.push(() => worker.stop());
  return worker;
};
const events = (count: number) => Array.from({ length: count }, () => statusChanged(api.home));
const log = () =>
  bench.rows<Record<string, unknown>>(
    'SELECT * FROM webhooks.delivery_attempts ORDER BY created_at, delivery_id, attempt',
  );
const statuses = async () =>
  (
    await bench.rows<{ status: string }>('SELECT DISTINCT status FROM webhooks.deliveries ORDER BY status')
  ).map(({ status }) => status);
const ended = async () => !(await statuses()).includes('pending');
/** Nothing comes of the queue any more, not even days later. */
async function staysSilent(requests: number): Promise<void> {
  expect(await bench.rows('SELECT FROM platform.due_work')).toEqual([]);
  await platform.advance(3 * DAY);
  // Something else that must be told, and is, shows that the worker has looked.
  const marker = { account: api.sibling.accountId };
  const elsewhere = await startReceiver();
  stops.push(() => elsewhere.close());
  await api.register(elsewhere.url, marker);
  await bench.happen(statusChanged(api.sibling));
  await eventually(() => elsewhere.requests.length === 1);
  expect(shop.requests).toHaveLength(requests);
}

describe.each([
  ['PATCH', 'deactivate'],
  ['DELETE', 'delete'],
])('%s …/%s', (method, verb) => {
  const stop = () => api.call(method, `/${id}/${verb}`);

  it('ends 500 deliveries that wait, none of which is ever sent', async () => {
    await bench.happen(...events(500));

    const { httpStatus } = await stop();

    expect(httpStatus).toBe(200);
    expect(await statuses()).toEqual(['failed']);
    const entries = await log();
    expect(entries).toHaveLength(500);
    for (const entry of entries) expect(entry).toMatchObject({ ...INACTIVE, attempt: 1 });
    startWorker();
    await staysSilent(0);
  });

  it('ends what waits for its next attempt, numbered on', async () => {
    shop.answer = (_request, response) => response.writeHead(500).end();
    const worker = startWorker();
    await bench.happen(...events(3));
    await eventually(async () => (await log()).length === 3);
    await platform.advance(7);
    await eventually(async () => (await log()).length === 6);
    await worker.stop();

    await stop();

    const last = (await log()).filter(({ status }) => status !== 'pending');
    expect(last).toHaveLength(3);
    for (const entry of last) expect(entry).toMatchObject({ ...INACTIVE, attempt: 3 });
    startWorker();
    await staysSilent(6);
  });

  it.each([
    [200, [{ attempt: 1, status: 'delivered', http_status: 200 }]],
    [
      500,
      [
        { attempt: 1, status: 'pending', http_status: 500 },
        { ...INACTIVE, attempt: 2 },
      ],
    ],
  ])(
    'lets an attempt under way end as it does, by HTTP %i, and repeats it never',
    async (status, entries) => {
      let held: ServerResponse | undefined;
      shop.answer = (_request, response) => void (held = response);
      startWorker();
      await bench.happen(...events(1));
      await eventually(() => held !== undefined);

      await stop();
      expect(await log()).toEqual([]);
      held!.writeHead(status).end();
      // Before the next attempt would be due.
      await eventually(ended, 3_000);

      expect(await log()).toMatchObject(entries);
      await staysSilent(1);
    },
  );

  it('leaves what a dead worker has claimed to the next, which sends it nothing', async () => {
    await bench.happen(...events(2));
    await bench.queue.claim(1, { of: new Map(), ofOthers: 1 });

    await stop();
    expect(await statuses()).toEqual(['failed', 'pending']);
    await bench.rows(`UPDATE platform.due_work SET claimed_until = clock_timestamp() - interval '1 second'`);
    startWorker();
    await eventually(ended);

    expect(await log()).toMatchObject([
      { ...INACTIVE, attempt: 1 },
      { ...INACTIVE, attempt: 1 },
    ]);
    await staysSilent(0);
  });

  it('holds for what is queued meanwhile by who still saw it active', async () => {
    const queue = bench.deliveries.queue.bind(bench.deliveries);
    bench.deliveries.queue = async (deliveries) => {
      await stop();
      await queue(deliveries);
    };
    await bench.happen(...events(1));
    expect(await statuses()).toEqual(['pending']);
    bench.deliveries.queue = queue;

    startWorker();
    await eventually(ended);

    expect(await log()).toMatchObject([{ ...INACTIVE, attempt: 1 }]);
    await staysSilent(0);
  });
});

describe('A webhook that is active again', () => {
  it('hears only of what happens from then on', async () => {
    await bench.happen(...events(1));
    await api.call('PATCH', `/${id}/deactivate`);
    await bench.happen(...events(1));
    await api.call('PATCH', `/${id}/activate`);
    const later = statusChanged(api.home);
    await bench.happen(later);

    startWorker();
    await eventually(() => shop.requests.length === 1);

    await eventually(ended);
    expect(shop.requests[0]!.body).toContain(later.aggregateId);
    await staysSilent(1);
  });
});

describe('A webhook that is active again at once', () => {
  const blink = async () => {
    await api.call('PATCH', `/${id}/deactivate`);
    await api.call('PATCH', `/${id}/activate`);
  };

  it('is not sent what a dead worker had claimed before', async () => {
    await bench.happen(...events(1));
    await bench.queue.claim(1, { of: new Map(), ofOthers: 1 });
    await blink();
    await bench.rows(`UPDATE platform.due_work SET claimed_until = clock_timestamp() - interval '1 second'`);

    startWorker();
    await eventually(ended);

    expect(await log()).toMatchObject([{ ...INACTIVE, attempt: 1 }]);
    await staysSilent(0);
  });

  it('is not sent again what was under way and failed', async () => {
    let held: ServerResponse | undefined;
    shop.answer = (_request, response) => void (held = response);
    startWorker();
    await bench.happen(...events(1));
    await eventually(() => held !== undefined);

    await blink();
    held!.writeHead(500).end();
    await eventually(ended, 3_000);

    expect(await log()).toMatchObject([
      { attempt: 1, http_status: 500 },
      { ...INACTIVE, attempt: 2 },
    ]);
    await staysSilent(1);
  });
});

describe('Webhooks that are stopped while workers record their attempts', () => {
  it('neither deadlock nor fail, and every delivery ends', async () => {
    const ids = [id];
    while (ids.length < 5) ids.push((await api.register(shop.url)).id);
    shop.answer = (_request, response) => response.writeHead(500).end();
    startWorker();
    startWorker();
    const happening = bench.happen(...events(40));
    await eventually(() => shop.requests.length >= 10);

    const answers = await Promise.all(
      ids.flatMap((webhook, index) => [
        api.call('PATCH', `/${webhook}/deactivate`),
        api.call('POST', `/${webhook}/test`),
        index % 2 === 0
          ? api.call('DELETE', `/${webhook}/delete`)
          : api.call('PATCH', `/${webhook}/deactivate`),
      ]),
    );
    await happening;
    await eventually(ended);

    expect(answers.filter(({ httpStatus }) => httpStatus >= 500)).toEqual([]);
    expect(api.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    await staysSilent(shop.requests.length);
  });
});
