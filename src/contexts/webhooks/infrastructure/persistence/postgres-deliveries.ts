import { Injectable } from '@nestjs/common';
import { Database } from '../../../../shared/platform/database/database.js';
import { DueWork } from '../../../../shared/platform/due-work/due-work.js';
import { Deliveries, type Subscription } from '../../domain/deliveries.js';
import type { NewDelivery } from '../../domain/delivery.js';
import type { WebhookEventType } from '../../domain/webhook.js';

/** Kind of the due work whose key is a delivery and whose lane is its webhook. */
export const WEBHOOK_DELIVERY = 'webhook_delivery';

@Injectable()
export class PostgresDeliveries extends Deliveries {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly database: Database,
    private readonly dueWork: DueWork,
  ) {
    super();
  }

  override subscriptions(eventIds: readonly string[], eventType: WebhookEventType): Promise<Subscription[]> {
    return this.database.query<Subscription>(
      `SELECT e.id AS "eventId", w.id AS "webhookId"
       FROM platform.events e JOIN webhooks.webhooks w
         ON w.account_id = e.account_id AND w.organization_id = e.organization_id
       WHERE e.id = ANY($1::uuid[]) AND w.event_type = $2 AND w.active AND w.subscribed_since < e.transaction_id
       ORDER BY e.transaction_id, e.position, w.id`,
      [eventIds, eventType],
    );
  }

  override async queue(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const stored = await this.database.write<{ key: string; lane: string; dueAt: Date }>(
      `INSERT INTO webhooks.deliveries
         (id, organization_id, account_id, webhook_id, event_id, event_type, payment_request_id, body)
       SELECT "id", "organizationId", "accountId", "webhookId", "eventId", "eventType", "paymentRequestId", "body"
       FROM jsonb_to_recordset($1::jsonb) AS d ("id" uuid, "organizationId" uuid, "accountId" uuid, "webhookId" uuid,
         "eventId" uuid, "eventType" text, "paymentRequestId" uuid, "body" text)
       ON CONFLICT (event_id, webhook_id) DO NOTHING
       RETURNING id AS key, webhook_id AS lane, created_at AS "dueAt"`,
      [JSON.stringify(deliveries)],
    );
    await this.dueWork.schedule(WEBHOOK_DELIVERY, stored);
    this.database.afterCommit(() => this.listeners.forEach((listener) => listener()));
  }

  /** Calls `listener` after each commit of this process that queued; other processes' are noticed by polling. */
  onQueued(listener: () => void): void {
    this.listeners.add(listener);
  }
}
