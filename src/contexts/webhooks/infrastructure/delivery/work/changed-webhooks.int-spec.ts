import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import {
  deliveryFixture,
  INACTIVE_LOG_ENTRY,
  type DeliveryFixture,
} from '#contexts/webhooks/testing/delivery-fixture.js';
import { HeldDeadline } from '#contexts/webhooks/testing/held-deadline.js';
import { statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import type { ReceivedRequest } from '#contexts/webhooks/testing/receiver.js';
import { startWebhookApi, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

const secretKeys = [{ id: 'test', secret: randomBytes(32) }];
let fixture: DeliveryFixture;
let api: WebhookApi;
let id: string;

beforeEach(async () => {
  fixture = await deliveryFixture({ secretKeys });
  api = await startWebhookApi(fixture.platform, { secretKeys });
  fixture.stopAtEnd(() => api.close());
  ({ id } = await api.register(fixture.shop.url));
});
afterEach(() => fixture.close());

const call = (method: string, path: string, body?: object) => api.call(method, `/${id}${path}`, body);
const happen = (count: number) =>
  fixture.happen(...Array.from({ length: count }, () => statusChanged(api.home)));
const deactivate = () => call('PATCH', '/deactivate');
const blink = async () => {
  await deactivate();
  await call('PATCH', '/activate');
};

/** Expects that nothing more is sent, even days later. @returns the number of requests that the shop has received */
async function requestsInTheEnd(): Promise<number> {
  expect(await fixture.queued()).toEqual([]);
  await fixture.platform.advance(3 * 86_400);
  await fixture.deliverMarker();
  return fixture.shop.requests.length;
}

describe.each([
  ['PATCH', '/deactivate'],
  ['DELETE', '/delete'],
])('The request that deactivates or deletes a webhook: %s …%s', (method, path) => {
  it('ends deliveries that wait for their first attempt or for a retry', async () => {
    fixture.shop.answer = (_request, response) => response.writeHead(500).end();
    const worker = fixture.startWorker();
    await happen(3);
    await eventually(async () => (await fixture.log()).length === 3);
    await worker.stop();
    await happen(20);

    const { httpStatus } = await call(method, path);

    expect(httpStatus).toBe(200);
    expect(await fixture.allAre('failed')).toBe(true);
    const ended = (await fixture.log()).filter(({ status }) => status === 'failed');
    for (const entry of ended) expect(entry).toMatchObject(INACTIVE_LOG_ENTRY);
    expect(ended.map(({ attempt }) => attempt)).toEqual([...Array(20).fill(1), 2, 2, 2]);
    fixture.startWorker();
    expect(await requestsInTheEnd()).toBe(3);
  });
});

describe('A webhook that is deactivated', () => {
  it('leaves the rest of its deliveries to the sweeper after a second', async () => {
    await happen(1_100);
    await fixture.rows(
      `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1.1); RETURN NULL; END'`,
    );
    await fixture.rows(
      'CREATE TRIGGER linger AFTER INSERT ON webhooks.delivery_attempts FOR EACH STATEMENT EXECUTE FUNCTION linger()',
    );
    const { httpStatus } = await deactivate();
    const left = (await fixture.queued()).length;
    await fixture.rows('DROP FUNCTION linger CASCADE');
    fixture.startWorker();
    const isEnding = () => fixture.rows('SELECT FROM webhooks.webhooks WHERE ending_deliveries');
    await eventually(async () => (await isEnding()).length === 0);
    // A worker ends the deliveries that it had claimed before the sweeper came.
    await eventually(fixture.ended);

    expect([httpStatus, left]).toEqual([200, 100]);
    expect((await fixture.log()).map(({ error }) => error)).toEqual(Array(1_100).fill('webhook_inactive'));
    expect(fixture.shop.requests).toEqual([]);
  });

  it.each([
    [200, [{ attempt: 1, status: 'delivered', httpStatus: 200 }]],
    [500, [{ attempt: 1, status: 'pending', httpStatus: 500 }, { ...INACTIVE_LOG_ENTRY, attempt: 2 }]], // prettier-ignore
  ])('finishes the attempt in progress, without a retry: answered with HTTP %i', async (status, entries) => {
    let logged: unknown[] | undefined;
    fixture.shop.answer = async (_request, response) => {
      await deactivate();
      logged = await fixture.log();
      response.writeHead(status).end();
    };
    fixture.startWorker();
    await happen(1);
    await eventually(fixture.ended);

    expect(logged).toEqual([]);
    expect(await fixture.log()).toMatchObject(entries);
    expect(await requestsInTheEnd()).toBe(1);
  });

  it('receives nothing that a dead worker had claimed', async () => {
    await happen(2);
    await fixture.claim(1);
    await deactivate();
    const statuses = await fixture.statuses();
    await fixture.claimsLapse(-1);
    fixture.startWorker();
    await eventually(fixture.ended);

    expect(statuses.sort()).toEqual(['failed', 'pending']);
    expect(await fixture.log()).toMatchObject(Array(2).fill({ ...INACTIVE_LOG_ENTRY, attempt: 1 }));
    expect(await requestsInTheEnd()).toBe(0);
  });

  it('receives nothing that was queued by a transaction that still saw it active', async () => {
    const queue = fixture.deliveries.queue.bind(fixture.deliveries);
    fixture.deliveries.queue = async (deliveries) => {
      await deactivate();
      await queue(deliveries);
    };
    await happen(1);
    expect(await fixture.statuses()).toEqual(['pending']);
    fixture.deliveries.queue = queue;
    fixture.startWorker();
    await eventually(fixture.ended);

    expect(await fixture.log()).toMatchObject([{ ...INACTIVE_LOG_ENTRY, attempt: 1 }]);
    expect(await requestsInTheEnd()).toBe(0);
  });

  it('does not deadlock with tests, deletions and workers that record attempts', async () => {
    const ids = [id];
    while (ids.length < 5) ids.push((await api.register(fixture.shop.url)).id);
    fixture.shop.answer = (_request, response) => response.writeHead(500).end();
    fixture.startWorker();
    fixture.startWorker();
    const happening = happen(40);
    await eventually(() => fixture.shop.requests.length >= 10);

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
    await eventually(fixture.ended);

    expect(answers.filter(({ httpStatus }) => httpStatus >= 500)).toEqual([]);
    expect(api.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    const before = fixture.shop.requests.length;
    expect(await requestsInTheEnd()).toBe(before);
  });
});

describe('A webhook that is activated again', () => {
  it('receives only events that happen from then on', async () => {
    await happen(1);
    await deactivate();
    await happen(1);
    await call('PATCH', '/activate');
    const later = statusChanged(api.home);
    await fixture.happen(later);
    fixture.startWorker();
    await eventually(() => fixture.shop.requests.length === 1);
    await eventually(fixture.ended);

    expect(fixture.shop.requests[0]!.body).toContain(later.aggregateId);
    expect(await requestsInTheEnd()).toBe(1);
  });

  it('receives nothing that a dead worker had claimed before the deactivation', async () => {
    await happen(1);
    await fixture.claim(1);
    await blink();
    await fixture.claimsLapse(-1);
    fixture.startWorker();
    await eventually(fixture.ended);

    expect(await fixture.log()).toMatchObject([{ ...INACTIVE_LOG_ENTRY, attempt: 1 }]);
    expect(await requestsInTheEnd()).toBe(0);
  });

  it('receives no retry of an attempt that failed during the deactivation', async () => {
    fixture.shop.answer = async (_request, response) => {
      await blink();
      response.writeHead(500).end();
    };
    fixture.startWorker();
    await happen(1);
    await eventually(fixture.ended);

    const [failed, ended] = await fixture.log();
    expect(failed).toMatchObject({ attempt: 1, httpStatus: 500 });
    expect(ended).toMatchObject({ ...INACTIVE_LOG_ENTRY, attempt: 2 });
    expect(ended!.createdAt.getTime()).toBeLessThan(failed!.nextAttemptAt!.getTime());
    expect(await requestsInTheEnd()).toBe(1);
  });
});

describe('A webhook with many claimed deliveries', () => {
  const EVENTS = 128;
  /** Number of answered requests that raise the concurrency of a webhook to its maximum, and that maximum. */
  const [ANSWERED, AT_A_TIME] = [14, 16];
  /** Milliseconds after which the cached state of a webhook has expired. */
  const CACHE_EXPIRED_MS = 110;

  /** Changes the webhook while its concurrency is at the maximum. @returns the requests received after the change */
  async function receivedAfter(change: () => Promise<unknown>): Promise<ReceivedRequest[]> {
    const { requests } = fixture.shop;
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    fixture.shop.answer = (_request, response) => {
      if (requests.length <= ANSWERED) response.end();
      else void answered.then(() => response.end());
    };
    const deadline = new HeldDeadline();
    try {
      await happen(EVENTS);
      fixture.startWorker();
      await eventually(() => requests.length === ANSWERED + AT_A_TIME);
      await change();
      await pause(CACHE_EXPIRED_MS);
      answer();
      await eventually(fixture.ended);
    } finally {
      deadline.fireDeadlines();
    }
    return requests.slice(ANSWERED + AT_A_TIME);
  }

  it('receives nothing after its deactivation', async () => {
    expect(await receivedAfter(deactivate)).toEqual([]);
    expect(fixture.shop.requests.length).toBeLessThan(EVENTS);
  });

  it('receives only the new signature after a rotation without an overlap', async () => {
    let secret = '';
    const later = await receivedAfter(
      async () => ({ secret } = (await call('POST', '/rotate-secret', { overlap_seconds: 0 })).data),
    );

    expect(later.length).toBeGreaterThan(AT_A_TIME);
    for (const { headers, body } of later) {
      const signed = `${String(headers['x-request-timestamp'])}.${body}`;
      expect(createHmac('sha256', secret).update(signed).digest('hex')).toBe(headers['x-request-signature']);
    }
  });
});
