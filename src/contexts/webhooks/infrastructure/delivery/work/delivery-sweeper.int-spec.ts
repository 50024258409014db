import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebhookId } from '#shared/kernel/ids.js';
import { InactiveDeliveries } from '#contexts/webhooks/application/registration/switch-webhook.js';
import { anAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import {
  inactiveWebhookFixture,
  type InactiveWebhookFixture,
} from '#contexts/webhooks/testing/inactive-webhook-fixture.js';

/** Deliveries of one statement, which must end within its timeout on a busy machine. */
const COPIES = 1_000;

let fixture: InactiveWebhookFixture;
let neighbour: Receiver;
/** Nothing more happens to the neighbour. */
let over: boolean;
let happening: Promise<void>;

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

/** Lets one thing after the other happen to another account. @returns its webhook */
async function letNeighbourHear(): Promise<string> {
  const account = anAccount();
  const { id } = await fixture.register(account, neighbour.url);
  happening = (async () => {
    while (!over) {
      const heard = neighbour.requests.length;
      await fixture.happen(statusChanged(account));
      await eventually(() => over || neighbour.requests.length > heard);
    }
  })();
  await eventually(() => neighbour.requests.length >= 5);
  return id;
}
/** Deliveries to the neighbour between the first and the last ended delivery of the webhook. */
const deliveredMeanwhile = (neighbours: string) =>
  fixture.rows(
    `SELECT FROM webhooks.delivery_attempts delivered,
       (SELECT min(created_at) AS first, max(created_at) AS last FROM webhooks.delivery_attempts
        WHERE error = 'webhook_inactive') ended
     WHERE webhook_id = $1 AND created_at BETWEEN first AND last`,
    [neighbours],
  );

describe('Deactivating a webhook for which thousands of deliveries wait', () => {
  it('ends them all with the sweeper’s help, in small units of work, while others hear what happens', async () => {
    await fixture.happen(...fixture.events(1));
    await letWait(3_000);
    fixture.shop.answer = () => undefined;
    fixture.startWorker();
    await eventually(() => fixture.shop.requests.length === 1);
    const neighbours = await letNeighbourHear();

    const answer = await fixture.api.call('PATCH', `/${fixture.id}/deactivate`);
    await eventually(async () => (await left()).length === 0);
    over = true;
    await happening;

    expect(answer).toMatchObject({ httpStatus: 200, data: { active: false } });
    expect(await deliveredMeanwhile(neighbours)).not.toEqual([]);
    expect(await ends()).toEqual([{ status: 'failed', inactive: 1, deliveries: 3_001 }]);
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
    await letWait(2_500);
    await fixture.rows(
      `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.6); RETURN NULL; END'`,
    );
    await fixture.rows(
      'CREATE TRIGGER linger AFTER INSERT ON webhooks.delivery_attempts FOR EACH STATEMENT EXECUTE FUNCTION linger()',
    );

    const { httpStatus } = await fixture.api.call(method, `/${fixture.id}/${verb}`);
    const leftByIt = (await left()).length;
    await fixture.rows('DROP FUNCTION linger CASCADE');
    fixture.startWorker();
    await eventually(async () => !(await isEnding()));

    expect(httpStatus).toBe(200);
    expect(leftByIt).toBeGreaterThanOrEqual(501);
    expect(await ends()).toEqual([{ status: 'failed', inactive: 1, deliveries: 2_501 }]);
  });
});

describe('A deactivation that is cut off', () => {
  it('is finished by the sweeper, long before anything is due', async () => {
    await fixture.happen(...fixture.events(1));
    await letWait(1_200);
    await fixture.webhooks.deactivate(fixture.api.home, fixture.id as WebhookId, { actor: 'test' });
    await fixture.api.app.get(InactiveDeliveries).end(fixture.id as WebhookId, 0);
    const leftByIt = (await left()).length;

    fixture.startWorker();
    await eventually(async () => !(await isEnding()));

    expect(leftByIt).toBe(201);
    expect(await ends()).toEqual([{ status: 'failed', inactive: 1, deliveries: 1_201 }]);
    expect(fixture.shop.requests).toEqual([]);
  });
});
