import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { ScheduledJobs } from '#shared/platform/due-work/scheduled-jobs.js';
import { newId, type DeliveryId, type WebhookId } from '#shared/kernel/ids.js';
import type { Attempt } from '#contexts/webhooks/domain/delivery/attempt.js';
import type { NewDelivery, TestDelivery } from '#contexts/webhooks/domain/delivery/delivery.js';
import { observeHealth } from '#contexts/webhooks/domain/delivery/failing-webhook-rule.js';
import type { MerchantEvent } from '#contexts/webhooks/domain/events/merchant-events.js';
import {
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '#contexts/webhooks/domain/registration/webhook.js';
import { AttemptLog } from './attempt-log.js';
import { WebhookHealth } from './webhook-health.js';

export const WEBHOOK_DELIVERY_JOB_KIND = 'webhook_delivery';

export const ACTIVE_SINCE_QUEUED = `w.active AND d.queued_in > w.subscribed_since`;

/** One batch of events can produce far more deliveries. */
const MAX_ROWS_PER_STATEMENT = 1_000;

@Injectable()
export class Deliveries {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly log: AttemptLog,
    private readonly health: WebhookHealth,
  ) {}

  /** A constant number of statements. Joins the caller's unit of work. */
  async queueEvents(events: readonly MerchantEvent[]): Promise<void> {
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const eventType of WEBHOOK_EVENT_TYPES) {
      const ids = events.filter((event) => event.eventType === eventType).map(({ id }) => id);
      if (ids.length === 0) continue;
      const found = await this.subscriptions(ids, eventType);
      await this.queue(
        found.map(({ eventId, webhookId }) => {
          const { organizationId, accountId, paymentRequestId, body } = byId.get(eventId)!;
          const about = { eventId, eventType, paymentRequestId: paymentRequestId!, body };
          return { id: newId<DeliveryId>(), organizationId, accountId, webhookId, ...about };
        }),
      );
    }
  }

  /** Selects webhooks registered before the event, by database transaction ids: timestamps can be out of order. */
  private subscriptions(eventIds: readonly string[], eventType: WebhookEventType) {
    return this.database.query<{ eventId: string; webhookId: WebhookId }>(
      `SELECT e.id AS event_id, w.id AS webhook_id
       FROM platform.events e JOIN webhooks.webhooks w
         ON w.account_id = e.account_id AND w.organization_id = e.organization_id
       WHERE e.id = ANY($1::uuid[]) AND w.event_type = $2 AND w.active AND w.subscribed_since < e.transaction_id
       ORDER BY e.transaction_id, e.position, w.id`,
      [eventIds, eventType],
    );
  }

  /** Due immediately. Skips events already queued for the webhook. */
  async queue(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    for (let n = 0; n < deliveries.length; n += MAX_ROWS_PER_STATEMENT)
      await this.store(deliveries.slice(n, n + MAX_ROWS_PER_STATEMENT));
    this.database.afterCommit(() => this.listeners.forEach((listener) => listener()));
  }

  private async store(deliveries: readonly NewDelivery[]): Promise<void> {
    const stored = await this.database.queryInTransaction<{ key: string; lane: string; dueAt: Date }>(
      `INSERT INTO webhooks.deliveries
         (id, organization_id, account_id, webhook_id, event_id, event_type, payment_request_id, body)
       SELECT "id", "organizationId", "accountId", "webhookId", "eventId", "eventType", "paymentRequestId", "body"
       FROM jsonb_to_recordset($1::jsonb) AS d ("id" uuid, "organizationId" uuid, "accountId" uuid, "webhookId" uuid,
         "eventId" uuid, "eventType" text, "paymentRequestId" uuid, "body" text)
       ON CONFLICT (event_id, webhook_id) DO NOTHING
       RETURNING id AS key, webhook_id AS lane, created_at AS due_at`,
      [JSON.stringify(deliveries)],
    );
    await this.scheduledJobs.schedule(WEBHOOK_DELIVERY_JOB_KIND, stored);
  }

  /** Counts toward the webhook's health. @returns the id of the log entry */
  async recordTest(test: TestDelivery, attempt: Attempt): Promise<string> {
    const { id, organizationId, accountId, webhookId, eventType, paymentRequestId, body } = test;
    await this.database.queryInTransaction(
      `INSERT INTO webhooks.deliveries
         (id, organization_id, account_id, webhook_id, event_type, payment_request_id, body)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, organizationId, accountId, webhookId, eventType, paymentRequestId, body],
    );
    const entryId = newId<string>();
    await this.log.append([{ ...attempt, id: entryId }]);
    await this.health.update(observeHealth([{ webhookId, attempt }]));
    return entryId;
  }

  /** After each commit of this process. Polling finds the deliveries of others. */
  onQueued(listener: () => void): void {
    this.listeners.add(listener);
  }
}
