import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import type { WebhookId } from '#shared/kernel/ids.js';
import { AttemptLog } from '../persistence/attempt-log.js';
import { WebhookQueries } from '../../registration/persistence/webhook-queries.js';
import { deliveryFixture, type DeliveryFixture } from '#contexts/webhooks/testing/delivery-fixture.js';
import { statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { startWebhookApi, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

const DAY = 86_400;
const FIRST_PAGE = { page: 1, pageSize: 10 };
const secretKeys = [{ id: 'test', secret: randomBytes(32) }];
let fixture: DeliveryFixture;
let api: WebhookApi;
let id: string;

beforeEach(async () => {
  fixture = await deliveryFixture({ secretKeys });
  api = await startWebhookApi(fixture.platform, { secretKeys });
  fixture.stopAtEnd(() => api.close());
  fixture.startWorker();
  fixture.shop.answer = (_request, response) => response.writeHead(500).end();
  ({ id } = await api.register(fixture.shop.url));
});
afterEach(() => fixture.close());

/** Records an event and waits until its first delivery attempt is recorded. */
async function recordEventAndFirstAttempt(): Promise<Record<string, unknown>> {
  const event = statusChanged(api.home);
  await fixture.happen(event);
  const found = () =>
    fixture.rows<Record<string, unknown>>(
      'SELECT * FROM webhooks.delivery_attempts WHERE payment_request_id = $1 ORDER BY attempt',
      [event.aggregateId],
    );
  return (await eventually(found, ({ length }) => length > 0))[0]!;
}
/** Waits until no retry is due. */
const settled = () =>
  eventually(
    () => fixture.rows('SELECT FROM platform.due_work WHERE due_at <= platform.now()'),
    ({ length }) => length === 0,
  );
const failing = async () => (await api.call('GET', '/list')).data.data[0]!['failing'];
const warnings = () =>
  api.lines.map((line) => JSON.parse(line) as Record<string, string>).filter(({ level }) => level === 'warn');

describe('A webhook that has only failed for five days', () => {
  it('is failing until its next acknowledgement, and still receives events', async () => {
    await recordEventAndFirstAttempt();
    await fixture.platform.advance(4.9 * DAY);
    await recordEventAndFirstAttempt();
    await settled();
    expect(await failing()).toBe(false);
    await fixture.platform.advance(0.1 * DAY);
    await recordEventAndFirstAttempt();
    expect(await failing()).toBe(true);
    await fixture.platform.advance(DAY);
    expect((await recordEventAndFirstAttempt())['status']).toBe('pending');
    await settled();
    // The worker writes this log entry only after the attempt is committed.
    await eventually(() => warnings().length > 0);
    expect(warnings()).toMatchObject([{ event: 'webhook.failing', webhook_id: id }]);

    fixture.shop.answer = (_request, response) => response.end();
    await recordEventAndFirstAttempt();
    expect(await failing()).toBe(false);
    await eventually(() => warnings().length > 1);
    expect(warnings()[1]).toMatchObject({ event: 'webhook.recovered', webhook_id: id });
  });

  it('changes between failing and healthy by a test delivery', async () => {
    await api.call('POST', `/${id}/test`);
    await fixture.platform.advance(5 * DAY + 1);
    await api.call('POST', `/${id}/test`);
    expect(await failing()).toBe(true);
    fixture.shop.answer = (_request, response) => response.end();
    await api.call('POST', `/${id}/test`);
    expect(await failing()).toBe(false);
    expect(warnings()).toHaveLength(2);
  });
});

describe('A webhook whose last delivery failed', () => {
  const shown = async (): Promise<[boolean, boolean[]]> => {
    const { database } = fixture.platform;
    const webhook = await new WebhookQueries(database).find(api.home.organizationId, id as WebhookId);
    const { items } = await new AttemptLog(database).pageOfWebhook(webhook, webhook.id, {}, FIRST_PAGE);
    return [webhook.lastAttemptFailed, items.map(({ willBeRetried }) => willBeRetried)];
  };

  it('is shown as such in the dashboard until an attempt is acknowledged', async () => {
    expect(await shown()).toEqual([false, []]);
    await recordEventAndFirstAttempt();
    expect(await shown()).toEqual([true, [true]]);
    fixture.shop.answer = (_request, response) => response.end();
    await fixture.platform.advance(DAY);
    await eventually(shown, ([, { length }]) => length === 2);
    expect(await shown()).toEqual([false, [false, false]]);
  });
});

describe('A delivery that fails ten times', () => {
  it('follows the schedule to its end, without making its webhook fail', async () => {
    await recordEventAndFirstAttempt();
    for (let attempts = 1; attempts < 10; attempts += 1) {
      const log = await eventually(fixture.log, ({ length }) => length === attempts);
      const next = log.at(-1)!.nextAttemptAt!;
      await fixture.platform.advance(
        (next.getTime() - (await fixture.platform.clock.now()).getTime()) / 1_000,
      );
    }
    const log = await eventually(fixture.log, ({ length }) => length === 10);
    await fixture.platform.advance(3 * DAY);
    await fixture.deliverMarker();

    log.slice(1).forEach(({ createdAt }, n) => {
      expect(createdAt.getTime()).toBeGreaterThanOrEqual(log[n]!.nextAttemptAt!.getTime());
    });
    expect(log.at(-1)).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(fixture.shop.requests).toHaveLength(10);
    expect([await failing(), warnings()]).toEqual([false, []]);
  });
});
