import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebhookId } from '../../../../../shared/kernel/ids.js';
import { EndInactiveDeliveries } from '../../../application/registration/end-inactive-deliveries.js';
import { anAccount, statusChanged } from '../../../testing/payment-events.js';
import { eventually } from '../../../testing/webhooks-fixture.js';
import { startReceiver, type Receiver } from '../../../testing/receiver.js';
import {
  inactiveWebhookFixture,
  type InactiveWebhookFixture,
} from '../../../testing/inactive-webhook-fixture.js';

/** Deliveries of one statement, which must end within its timeout on a busy machine. */
const COPIES = 1_000;

let fixture: InactiveWebhookFixture;
let neighbour: Receiver;
/** Nothing more happens to the neighbour. */
let over: boolean;

beforeEach(async () => {
  fixture = await inactiveWebhookFixture();
  neighbour = await startReceiver();
  over = false;
});
afterEach(async () => {
  over = true;
  await fixture.close();
  await neighbour.close();
});

/** Copies the webhook's one delivery, with its event, as deliveries that failed once and are due again in an hour. */
async function letWait(count: number): Promise<void> {
  for (let left = count; left > 0; left -= COPIES) await copyDelivery(Math.min(left, COPIES));
}
const copyDelivery = (count: number) =>
  fixture.rows(
    `WITH first AS (
       SELECT e.type, e.aggregate_id, e.occurred_at, e.data, d.organization_id, d.account_id, d.webhook_id, d.event_type, d.body
       FROM webhooks.deliveries d JOIN platform.events e ON e.id = d.event_id ORDER BY d.id LIMIT 1
     ), fresh AS MATERIALIZED (
       SELECT gen_random_uuid() AS event, gen_random_uuid() AS delivery, gen_random_uuid() AS request
       FROM generate_series(1, $1::integer)
     ), copy AS MATERIALIZED (
       SELECT first.*, fresh.*, replace(body, aggregate_id::text, request::text) AS text FROM first CROSS JOIN fresh
     ), happened AS (
       INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT event, type, request, organization_id, account_id, occurred_at, data FROM copy
       RETURNING position
     ), recorded AS (
       INSERT INTO webhooks.events (id, organization_id, account_id, event_type, payment_request_id, occurred_at, body)
       SELECT event, organization_id, account_id, event_type, request, occurred_at, text FROM copy
     ), queued AS (
       INSERT INTO webhooks.deliveries
         (id, organization_id, account_id, webhook_id, event_id, event_type, payment_request_id, body)
       SELECT delivery, organization_id, account_id, webhook_id, event, event_type, request, text FROM copy
     ), failed AS (
       INSERT INTO webhooks.delivery_attempts (id, organization_id, account_id, delivery_id, webhook_id, event_type,
         payment_request_id, attempt, status, error, next_attempt_at, created_at)
       SELECT gen_random_uuid(), organization_id, account_id, delivery, webhook_id, event_type, request, 1, 'pending',
         'timeout', platform.now() + interval '1 hour', platform.now() FROM copy
     ), due AS (
       INSERT INTO platform.due_work (kind, key, lane, due_at, attempt)
       SELECT 'webhook_delivery', delivery, webhook_id, platform.now() + interval '1 hour', 1 FROM copy
     )
     UPDATE platform.subscriber_positions
     SET transaction_id = pg_current_xact_id(), position = (SELECT max(position) FROM happened)
     WHERE subscriber IN ('webhooks', 'merchant_events')`,
    [count],
  );
const left = () => fixture.rows('SELECT FROM platform.due_work WHERE lane = $1', [fixture.id]);
/** How its deliveries stand, by their status and how often the log says that nothing was sent. */
const ends = () =>
  fixture.rows(
    `SELECT status, inactive, count(*)::int AS deliveries
     FROM webhooks.deliveries d CROSS JOIN LATERAL (
       SELECT count(*)::int AS inactive FROM webhooks.delivery_attempts a
       WHERE a.delivery_id = d.id AND a.error = 'webhook_inactive') log
     WHERE webhook_id = $1 GROUP BY status, inactive`,
    [fixture.id],
  );
const mostAtOnce = async () =>
  (
    await fixture.rows<{ most: number }>(
      `SELECT max(count)::int AS most FROM (SELECT count(*) FROM webhooks.delivery_attempts
         WHERE error = 'webhook_inactive' GROUP BY xmin::text) units`,
    )
  )[0]!.most;
const isEnding = async () =>
  (await fixture.rows('SELECT FROM webhooks.webhooks WHERE id = $1 AND ending_deliveries', [fixture.id]))
    .length === 1;

/** Lets something happen to another account every 50 ms. @returns what ends it and tells the longest silence, in ms */
async function letNeighbourHear(): Promise<() => Promise<number>> {
  const account = anAccount();
  await fixture.register(account, neighbour.url);
  const heardAt: number[] = [];
  neighbour.answer = (_request, response) => {
    heardAt.push(performance.now());
    response.end();
  };
  const happening = (async () => {
    while (!over) {
      await fixture.happen(statusChanged(account));
      await pause(50);
    }
  })();
  await eventually(() => heardAt.length >= 5);
  return async () => {
    over = true;
    await happening;
    heardAt.push(performance.now());
    return Math.max(...heardAt.slice(1).map((at, n) => at - heardAt[n]!));
  };
}

describe('Deactivating a webhook for which 20,000 deliveries wait', () => {
  it('answers soon, holds up nobody, and ends them all with the sweeper’s help', async () => {
    await fixture.happen(...fixture.events(1));
    await letWait(20_000);
    fixture.shop.answer = () => undefined;
    fixture.startWorker();
    await eventually(() => fixture.shop.requests.length === 1);
    const longestSilence = await letNeighbourHear();

    const begun = performance.now();
    const answer = await fixture.api.call('PATCH', `/${fixture.id}/deactivate`);
    const answeredIn = performance.now() - begun;
    await eventually(async () => (await left()).length === 0);
    const endedIn = performance.now() - begun;
    const silence = await longestSilence();
    process.stdout.write(
      `deactivated in ${Math.round(answeredIn)} ms, all ended in ${Math.round(endedIn)} ms, ` +
        `the neighbour’s longest silence ${Math.round(silence)} ms\n`,
    );

    expect(answer).toMatchObject({ httpStatus: 200, data: { active: false } });
    expect(answeredIn).toBeLessThan(5_000);
    expect(silence).toBeLessThan(3_000);
    expect(await ends()).toEqual([{ status: 'failed', inactive: 1, deliveries: 20_001 }]);
    expect(await mostAtOnce()).toBeLessThanOrEqual(1_000);
    await eventually(async () => !(await isEnding()));
    expect(fixture.shop.requests).toHaveLength(1);
  });
});

describe.each([
  ['PATCH', 'deactivate'],
  ['DELETE', 'delete'],
])('%s …/%s', (method, verb) => {
  it('leaves to the sweeper what takes it longer than a second', async () => {
    await fixture.happen(...fixture.events(1));
    await letWait(3_500);
    await fixture.rows(
      `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.6); RETURN NULL; END'`,
    );
    await fixture.rows(
      'CREATE TRIGGER linger AFTER INSERT ON webhooks.delivery_attempts FOR EACH STATEMENT EXECUTE FUNCTION linger()',
    );

    const { httpStatus } = await fixture.api.call(method, `/${fixture.id}/${verb}`);
    const leftByIt = (await left()).length;
    fixture.startWorker();
    await eventually(async () => !(await isEnding()));

    expect(httpStatus).toBe(200);
    expect(leftByIt).toBeGreaterThanOrEqual(1_501);
    expect(await ends()).toEqual([{ status: 'failed', inactive: 1, deliveries: 3_501 }]);
  });
});

describe('A deactivation that is cut off', () => {
  it('is finished by the sweeper, long before anything is due', async () => {
    await fixture.happen(...fixture.events(1));
    await letWait(2_500);
    await fixture.webhooks.deactivate(fixture.api.home, fixture.id as WebhookId);
    await fixture.api.app.get(EndInactiveDeliveries).execute(fixture.id as WebhookId, 0);
    const leftByIt = (await left()).length;

    fixture.startWorker();
    await eventually(async () => !(await isEnding()));

    expect(leftByIt).toBe(1_501);
    expect(await ends()).toEqual([{ status: 'failed', inactive: 1, deliveries: 2_501 }]);
    expect(fixture.shop.requests).toEqual([]);
  });
});
