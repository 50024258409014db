import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { startWebhookApi, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

const DAY = 86_400;
const secretKeys = [{ id: 'test', secret: randomBytes(32) }];

let platform: TestPlatform;
let api: WebhookApi;
let fixture: ReturnType<typeof webhooksFixture>;
let worker: ReturnType<typeof fixture.startWorker>;
let shop: Receiver;
let id: string;

beforeEach(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform, { secretKeys });
  fixture = webhooksFixture(platform, { secretKeys });
  worker = fixture.startWorker();
  shop = await startReceiver();
  shop.answer = (_request, response) => response.writeHead(500).end();
  ({ id } = await api.register(shop.url));
});
afterEach(async () => {
  await worker.stop();
  await shop.close();
  await api.close();
  await platform.close();
});

/** A new event, until its first attempt is recorded. */
async function attempted(): Promise<Record<string, unknown>> {
  const event = statusChanged(api.home);
  await fixture.happen(event);
  const found = () =>
    fixture.rows<Record<string, unknown>>(
      'SELECT * FROM webhooks.delivery_attempts WHERE payment_request_id = $1 ORDER BY attempt',
      [event.aggregateId],
    );
  await eventually(async () => (await found()).length > 0);
  return (await found())[0]!;
}
/** Every retry that is due by now is over, too. */
const settled = () =>
  eventually(async () => {
    const due = await fixture.rows('SELECT FROM platform.due_work WHERE due_at <= platform.now()');
    return due.length === 0;
  });
const failing = async () => (await api.call('GET', '/list')).data.data[0]!['failing'];
const warnings = () =>
  api.lines.map((line) => JSON.parse(line) as Record<string, string>).filter(({ level }) => level === 'warn');

describe('A webhook that has only failed for five days', () => {
  it('is failing, is logged once, is sent events as before, and ends failing with the first acknowledgement', async () => {
    await attempted();
    for (let day = 1; day <= 4; day += 1) {
      await platform.advance(DAY);
      await attempted();
    }
    await platform.advance(0.9 * DAY);
    await attempted();
    await settled();
    expect(await failing()).toBe(false);

    await platform.advance(0.1 * DAY);
    await attempted();
    expect(await failing()).toBe(true);

    await platform.advance(DAY);
    const { status, createdAt, durationMs, nextAttemptAt } = await attempted();
    await settled();
    // The worker logs after the commit that the wait above ends with.
    await eventually(() => warnings().length > 0);
    expect(warnings()).toMatchObject([{ event: 'webhook.failing', webhook_id: id }]);
    expect(status).toBe('pending');
    const waits = Number(nextAttemptAt) - Number(createdAt) - Number(durationMs);
    expect(Math.abs(waits - 5_000)).toBeLessThanOrEqual(1_001);

    shop.answer = (_request, response) => response.end();
    await attempted();
    expect(await failing()).toBe(false);
    await eventually(() => warnings().length > 1);
    expect(warnings()[1]).toMatchObject({ event: 'webhook.recovered', webhook_id: id });

    shop.answer = (_request, response) => response.writeHead(500).end();
    await attempted();
    expect(await failing()).toBe(false);
  });

  it('may be found so, and found well, by a test', async () => {
    await api.call('POST', `/${id}/test`);
    await platform.advance(5 * DAY + 1);
    await api.call('POST', `/${id}/test`);
    expect(await failing()).toBe(true);

    shop.answer = (_request, response) => response.end();
    await api.call('POST', `/${id}/test`);

    expect(await failing()).toBe(false);
    expect(warnings()).toHaveLength(2);
  });
});

describe('A webhook with one delivery that failed for two days', () => {
  it('is not failing', async () => {
    await attempted();
    const log = () =>
      fixture.rows<{ nextAttemptAt: Date | null }>(
        'SELECT next_attempt_at FROM webhooks.delivery_attempts ORDER BY attempt DESC',
      );

    for (let attempts = 1; attempts <= 10; attempts += 1) {
      await eventually(async () => (await log()).length === attempts);
      const next = (await log())[0]!.nextAttemptAt;
      if (next === null) break;
      await platform.advance((next.getTime() - (await platform.clock.now()).getTime()) / 1000);
    }

    expect((await log())[0]).toEqual({ nextAttemptAt: null });
    expect(await failing()).toBe(false);
    expect(warnings()).toEqual([]);
  });
});
