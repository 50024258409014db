import { Injectable } from '@nestjs/common';
import { notFound, unavailable } from '#shared/kernel/domain-error.js';
import { newId, type DeliveryId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import { ScheduledJobs } from '#shared/platform/due-work/scheduled-jobs.js';
import type { Delivery } from '#contexts/webhooks/domain/delivery/delivery.js';
import {
  orderReplay,
  type DeliveryWithPredecessor,
} from '#contexts/webhooks/domain/redelivery/replay-order.js';
import type { Webhook } from '#contexts/webhooks/domain/registration/webhook.js';
import { WEBHOOK_DELIVERY_JOB_KIND } from '../../delivery/persistence/deliveries.js';

export interface ReplayRange {
  readonly from: Date;
  readonly to: Date;
}

interface EventRow {
  readonly eventId: string;
  readonly paymentRequestId: PaymentRequestId;
  readonly deliveryId: DeliveryId | null;
}

interface LockedDeliveries {
  readonly waitsFor: ReadonlyMap<DeliveryId, DeliveryId | null>;
  readonly underWay: ReadonlySet<DeliveryId>;
}

/** A try fails only if a worker attempts a delivery at that moment. */
const MAX_LOCK_TRIES = 20;

const IS_IN_REPLAY_RANGE = `e.organization_id = $1 AND e.account_id = $2 AND e.event_type = $3
  AND e.occurred_at >= $4 AND e.occurred_at < $5`;

/**
 * A resent delivery keeps its id, body and log. Methods that write must run before any other statement that locks
 * rows, and throw `unavailable` during another resend or replay.
 */
@Injectable()
export class Redeliveries {
  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
  ) {}

  /** Even if it waits for an earlier delivery. @throws not_found */
  async resend(webhook: Webhook, delivery: DeliveryId): Promise<Delivery> {
    await this.lockWebhook(webhook);
    const { waitsFor, underWay } = await this.lockDeliveries(webhook, [delivery]);
    if (!waitsFor.has(delivery)) throw notFound('delivery');
    if (!underWay.has(delivery)) await this.requeueDeliveries([{ deliveryId: delivery, waitsFor: null }]);
    const [row] = await this.database.queryInTransaction<RowOf<Delivery>>(
      `SELECT id, webhook_id, event_id, event_type,
         payment_request_id, status, created_at
       FROM webhooks.deliveries WHERE id = $1`,
      [delivery],
    );
    return withoutNulls<Delivery>(row!);
  }

  async countEventsToReplay(webhook: Webhook, range: ReplayRange): Promise<number> {
    const [row] = await this.database.query<{ events: number }>(
      `SELECT count(*)::int AS events FROM webhooks.events e WHERE ${IS_IN_REPLAY_RANGE}`,
      rangeParameters(webhook, range),
    );
    return row!.events;
  }

  /**
   * Events of one payment request are sent one after another. A constant number of statements without concurrent
   * changes.
   */
  async replay(webhook: Webhook, range: ReplayRange): Promise<number> {
    await this.lockWebhook(webhook);
    const events = await this.findOrCreateDeliveries(webhook, range);
    const held = await this.lockDeliveries(
      webhook,
      events.map(({ deliveryId }) => deliveryId),
    );
    await this.requeueDeliveries(
      orderReplay(
        events.map(({ deliveryId, paymentRequestId }) => ({
          ...{ deliveryId, paymentRequestId },
          waitsFor: held.waitsFor.get(deliveryId) ?? null,
          underWay: held.underWay.has(deliveryId),
        })),
      ),
    );
    return events.length;
  }

  private async findOrCreateDeliveries(webhook: Webhook, range: ReplayRange) {
    for (;;) {
      const events = await this.events(webhook, range);
      const made = await this.createDeliveries(webhook, events);
      // The subscriber may have created some concurrently.
      if (events.every(({ eventId, deliveryId }) => deliveryId !== null || made.has(eventId))) {
        return events.map(({ eventId, paymentRequestId, deliveryId }) => ({
          ...{ paymentRequestId, deliveryId: deliveryId ?? made.get(eventId)! },
        }));
      }
    }
  }

  private async events(webhook: Webhook, range: ReplayRange): Promise<EventRow[]> {
    const events = await this.database.queryInTransaction<Omit<EventRow, 'deliveryId'>>(
      `SELECT e.id AS event_id, e.payment_request_id
       FROM webhooks.events e WHERE ${IS_IN_REPLAY_RANGE} ORDER BY e.number`,
      rangeParameters(webhook, range),
    );
    // The planner would scan all deliveries for a join. The row lock prevents pruning.
    const made = await this.database.queryInTransaction<{ eventId: string; id: DeliveryId }>(
      `SELECT event_id, id FROM webhooks.deliveries WHERE event_id = ANY($1::uuid[]) AND webhook_id = $2
       FOR KEY SHARE`,
      [events.map(({ eventId }) => eventId), webhook.id],
    );
    const ids = new Map(made.map(({ eventId, id }) => [eventId, id]));
    return events.map((event) => ({ ...event, deliveryId: ids.get(event.eventId) ?? null }));
  }

  /** In log order, like the subscriber, so that the two cannot deadlock. */
  private async createDeliveries(
    webhook: Webhook,
    events: readonly EventRow[],
  ): Promise<Map<string, DeliveryId>> {
    const missing = events.filter(({ deliveryId }) => deliveryId === null).map(({ eventId }) => eventId);
    if (missing.length === 0) return new Map();
    const made = await this.database.queryInTransaction<{ id: DeliveryId; eventId: string }>(
      `INSERT INTO webhooks.deliveries
         (id, organization_id, account_id, webhook_id, event_id, event_type, payment_request_id, body)
       SELECT m.id, e.organization_id, e.account_id, $1, e.id, e.event_type, e.payment_request_id, e.body
       FROM UNNEST($2::uuid[], $3::uuid[]) AS m (id, event_id) JOIN webhooks.events e ON e.id = m.event_id
       ORDER BY e.number
       ON CONFLICT (event_id, webhook_id) DO NOTHING
       RETURNING id, event_id`,
      [webhook.id, missing.map(() => newId()), missing],
    );
    return new Map(made.map(({ id, eventId }) => [eventId, id]));
  }

  /** Fails instead of waiting, because waiting would occupy a connection. */
  private async lockWebhook(webhook: Webhook): Promise<void> {
    const [turn] = await this.database.queryInTransaction<{ mine: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('webhook redeliveries ' || $1, 0)) AS mine`,
      [webhook.id],
    );
    if (turn!.mine) return;
    throw unavailable('Another resend or replay of this webhook is in progress. Try again shortly.');
  }

  private async lockDeliveries(webhook: Webhook, ids: readonly DeliveryId[]): Promise<LockedDeliveries> {
    for (let tries = 0; tries < MAX_LOCK_TRIES; tries += 1) {
      try {
        return await this.database.savepoint(() => this.tryLockDeliveries(webhook, ids));
      } catch (error) {
        if (!(error instanceof ReleasedConcurrently)) throw error;
      }
    }
    throw unavailable('These deliveries are being changed. Try again shortly.');
  }

  /**
   * A delivery released before it is locked could be attempted too early, so it is removed from the queue. Skips
   * locked jobs, because their holder may wait for this transaction.
   */
  private async tryLockDeliveries(webhook: Webhook, ids: readonly DeliveryId[]): Promise<LockedDeliveries> {
    const underWay = new Set<DeliveryId>();
    for (const others of ['awaited', 'passed_over'] as const) {
      const unknown = ids.filter((id) => !underWay.has(id));
      const found = await this.scheduledJobs.cancel(WEBHOOK_DELIVERY_JOB_KIND, webhook.id, unknown, others);
      for (const { key } of found.underWay) underWay.add(key as DeliveryId);
      const rows = await this.database.queryInTransaction<{ id: DeliveryId; waitsFor: DeliveryId | null }>(
        `SELECT id, waits_for FROM webhooks.deliveries
         WHERE id = ANY($2::uuid[]) AND webhook_id = $1 ORDER BY id FOR NO KEY UPDATE`,
        [webhook.id, ids],
      );
      const queued = await this.database.queryInTransaction<{ key: DeliveryId }>(
        `SELECT key FROM platform.due_work WHERE kind = $1 AND lane = $2 AND key = ANY($3::uuid[])`,
        [WEBHOOK_DELIVERY_JOB_KIND, webhook.id, ids],
      );
      if (queued.every(({ key }) => underWay.has(key))) {
        return { waitsFor: new Map(rows.map(({ id, waitsFor }) => [id, waitsFor])), underWay };
      }
    }
    throw new ReleasedConcurrently();
  }

  private async requeueDeliveries(places: readonly DeliveryWithPredecessor[]): Promise<void> {
    if (places.length === 0) return;
    const queued = await this.database.queryInTransaction<{
      key: DeliveryId;
      lane: string;
      dueAt: Date;
      waits: boolean;
    }>(
      `UPDATE webhooks.deliveries d SET status = 'pending', waits_for = p.waits_for, queued_in = pg_current_xact_id(),
         attempts_before = (SELECT count(*) FROM webhooks.delivery_attempts a WHERE a.delivery_id = d.id)
       FROM UNNEST($1::uuid[], $2::uuid[]) AS p (id, waits_for) WHERE d.id = p.id AND d.id = ANY($1::uuid[])
       RETURNING d.id AS key, d.webhook_id AS lane, platform.now() AS due_at, d.waits_for IS NOT NULL AS waits`,
      [places.map(({ deliveryId }) => deliveryId), places.map(({ waitsFor }) => waitsFor)],
    );
    await this.scheduledJobs.schedule(
      WEBHOOK_DELIVERY_JOB_KIND,
      queued.filter(({ waits }) => !waits),
    );
  }
}

class ReleasedConcurrently extends Error {}

function rangeParameters(
  { organizationId, accountId, eventType }: Webhook,
  { from, to }: ReplayRange,
): unknown[] {
  return [organizationId, accountId, eventType, from, to];
}
