import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type DeliveryId, type WebhookId } from '#shared/kernel/ids.js';
import { statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { statementsOf } from '#contexts/webhooks/testing/statements-of.js';
import { deliveryFixture, type DeliveryFixture } from '#contexts/webhooks/testing/delivery-fixture.js';
import {
  FAILING_AFTER_MS,
  type ObservedWebhookHealth,
} from '#contexts/webhooks/domain/delivery/failing-webhook-rule.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { AttemptLog, type AttemptFilter } from '../../delivery/persistence/attempt-log.js';
import { PruneDeliveries } from '../../delivery/persistence/prune-deliveries.js';
import { PostgresInactiveWebhookDeliveries } from '../../delivery/persistence/postgres-inactive-webhook-deliveries.js';
import { WebhookHealth } from '../../delivery/persistence/webhook-health.js';

const BY = { actor: 'test' };
const SEALED = { keyId: 'test', bytes: Buffer.from('new') };

let fixture: DeliveryFixture;
let id: WebhookId;
beforeEach(async () => {
  fixture = await deliveryFixture();
  ({ id } = await fixture.register(fixture.account, 'https://shop.example/hooks'));
});
afterEach(() => fixture.close());

const ending = () => {
  const { database, scheduledJobs } = fixture.platform;
  return new PostgresInactiveWebhookDeliveries(database, scheduledJobs, new AttemptLog(database));
};

describe('The previous secret of a webhook', () => {
  const rotate = (seconds: number) => fixture.webhooks.rotateSecret(fixture.account, id, SEALED, seconds, BY);
  const signing = () => fixture.webhooks.signingSecrets(fixture.account, id);

  it('signs until its overlap ends, and no longer at that moment', async () => {
    await rotate(60);
    const during = await signing();
    await fixture.platform.advance(60);

    expect([during.previous, (await signing()).previous]).toEqual([expect.anything(), undefined]);
  });

  it('ends once, without a change or audit entry for a repetition', async () => {
    await rotate(60);
    const ended = await fixture.webhooks.endOverlap(fixture.account, id, BY);
    await fixture.platform.advance(5);

    expect(await fixture.webhooks.endOverlap(fixture.account, id, BY)).toEqual(ended);
    const audited = "SELECT FROM identity.audit_log WHERE action = 'webhook.overlap_ended'";
    expect(await fixture.rows(audited)).toHaveLength(1);
  });
});

describe('A webhook that is deactivated and then deleted', () => {
  it('has its pending deliveries ended', async () => {
    await fixture.happen(statusChanged(fixture.account));
    await fixture.webhooks.deactivate(fixture.account, id, BY);
    await fixture.webhooks.delete(fixture.account, id, BY);

    expect(await ending().findWebhooks()).toEqual([id]);
    await ending().failPending(id, 60_000);
    expect(await fixture.allAre('failed')).toBe(true);
  });

  it('logs the end of a delivery after all earlier attempts', async () => {
    await fixture.happen(statusChanged(fixture.account));
    const { claimed } = await fixture.claim();
    await fixture.acknowledge(claimed[0]!);
    const [delivery] = await fixture.deliveryRows();
    await fixture.resend(id, delivery!.id);

    await fixture.deactivate(fixture.account, id);

    expect((await fixture.log()).map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'delivered'],
      [2, 'failed'],
    ]);
  });
});

describe('The queue of due deliveries', () => {
  it('takes as many SQL statements to record many attempts as for one', async () => {
    await fixture.happen(...Array.from({ length: 21 }, () => statusChanged(fixture.account)));
    const { now, claimed } = await fixture.claim(21);
    const [first, ...others] = claimed.map(({ work, delivery }) => {
      const attempt = { deliveryId: delivery.id, number: 1, startedAt: now, durationMs: 1, httpStatus: 200 };
      return { work, attempt: { ...attempt, status: 'delivered' as const } };
    });
    const record = (attempts: typeof others) =>
      statementsOf(fixture.platform, () => fixture.queue.recordAttempts(attempts));

    expect(await record([first!])).toEqual(await record(others));
    expect([(await fixture.log()).length, await fixture.queued()]).toEqual([21, []]);
  });

  it('excludes deliveries that have ended', async () => {
    await fixture.happen(statusChanged(fixture.account));
    await fixture.platform.database.query("UPDATE webhooks.deliveries SET status = 'failed'");

    expect((await fixture.claim()).claimed).toEqual([]);
    await fixture.platform.database.query("UPDATE webhooks.deliveries SET status = 'pending'");
  });
});

describe('A range of attempts', () => {
  it('includes the start of the range and excludes the end', async () => {
    await fixture.happen(statusChanged(fixture.account));
    const at = new Date('2026-03-01T12:00:00.000Z');
    await fixture.acknowledge((await fixture.claim()).claimed[0]!, at);
    const log = new AttemptLog(fixture.platform.database);
    const page = { page: 1, pageSize: 10 };
    const found = async (filter: AttemptFilter, owner = fixture.account) =>
      (await log.pageOfWebhook(owner, id, filter, page)).total;

    expect([await found({ from: at }), await found({ before: at })]).toEqual([1, 0]);
    expect([await found({ status: 'delivered' }), await found({ status: 'failed' })]).toEqual([1, 0]);
    expect(await found({ paymentRequestId: newId() })).toBe(0);
    expect(await found({}, { ...fixture.account, accountId: newId() })).toBe(0);
  });
});

describe('The record of merchant events', () => {
  it('keeps the given order, whatever the ids are', async () => {
    const { organizationId, accountId } = fixture.account;
    const ids = [newId<string>(), newId<string>(), newId<string>()].reverse();
    const events = ids.map((each) => ({
      ...{ id: each, organizationId, accountId, eventType: 'settlement' as const, paymentRequestId: null },
      ...{ occurredAt: new Date(), body: '{"data":{}}', underpaymentAccepted: false },
    }));
    await fixture.platform.database
      .run(async () => {
        await fixture.merchantEvents.record(events);
        const rows = await fixture.platform.database.queryInTransaction<{ id: string }>(
          'SELECT id FROM webhooks.events ORDER BY number',
        );
        expect(rows.map((row) => row.id)).toEqual(ids);
        throw new Error('undone');
      })
      .catch((error: Error) => expect(error.message).toBe('undone'));
  });
});

describe('The health of a webhook', () => {
  const START = Date.UTC(2026, 0, 1);
  const failed = (first: number, last = first): ObservedWebhookHealth => ({
    webhookId: id,
    acknowledged: false,
    firstFailedAt: new Date(START + first),
    lastFailedAt: new Date(START + last),
  });
  async function isFailingAfter(...seen: ObservedWebhookHealth[]): Promise<boolean> {
    const health = new WebhookHealth(fixture.platform.database);
    for (const each of seen) await fixture.platform.database.run(() => health.update([each]));
    return (await fixture.webhooks.find(fixture.account, id)).failing;
  }

  it('is failing after exactly five days of failures, counted from the first', async () => {
    expect(await isFailingAfter(failed(0), failed(FAILING_AFTER_MS - 1))).toBe(false);
    expect(await isFailingAfter(failed(FAILING_AFTER_MS))).toBe(true);
  });

  it('counts from the first failure after an acknowledgement', async () => {
    const acknowledged = { ...failed(FAILING_AFTER_MS), acknowledged: true };

    expect(await isFailingAfter(failed(0), acknowledged)).toBe(false);
    expect(await isFailingAfter(failed(2 * FAILING_AFTER_MS - 1))).toBe(false);
    expect(await isFailingAfter(failed(2 * FAILING_AFTER_MS))).toBe(true);
  });
});

describe('A pruned delivery', () => {
  it('is removed exactly at the end of its retention, and does not move the time of pruning back', async () => {
    const settings = { secretKeys: [], allowLoopbackHttp: true, deliveryRetentionDays: 90 };
    const prune = new PruneDeliveries(fixture.platform.database, new WebhooksSettings(settings));
    const now = await fixture.platform.clock.now();
    const deliver = async (daysAgo: number) => {
      const occurredAt = new Date(now.getTime() - daysAgo * 86_400_000);
      await fixture.happen({ ...statusChanged(fixture.account), occurredAt });
      const { claimed } = await fixture.claim();
      await fixture.acknowledge(claimed[0]!, new Date(now.getTime() - 90 * 86_400_000));
    };
    const prunedUntil = async () =>
      (
        await fixture.rows<{ until: Date }>('SELECT deliveries_pruned_until AS until FROM webhooks.webhooks')
      )[0]!.until;
    await deliver(91);
    await prune.prune();
    const first = await prunedUntil();
    await deliver(95);
    await prune.prune();

    expect((await fixture.deliveryRows()).map(({ id: each }): DeliveryId => each)).toEqual([]);
    expect(await prunedUntil()).toEqual(first);
  });
});
