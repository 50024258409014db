import { Injectable } from '@nestjs/common';
import { Database } from '../../../../shared/platform/database/database.js';
import { DueWork } from '../../../../shared/platform/due-work/due-work.js';
import type { DeliveryId, WebhookId } from '../../../../shared/kernel/ids.js';
import { unsent, type Attempt } from '../../domain/attempt.js';
import { Deliveries, type Subscription } from '../../domain/deliveries.js';
import type { NewDelivery, TestDelivery } from '../../domain/delivery.js';
import { healthOf } from '../../domain/failing.js';
import type { Owner, WebhookEventType } from '../../domain/webhook.js';
import { PostgresAttemptLog } from './postgres-attempt-log.js';
import { WebhookHealth } from './webhook-health.js';

/** Kind of the due work whose key is a delivery and whose lane is its webhook. */
export const WEBHOOK_DELIVERY = 'webhook_delivery';

@Injectable()
export class PostgresDeliveries extends Deliveries {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly database: Database,
    private readonly dueWork: DueWork,
    private readonly log: PostgresAttemptLog,
    private readonly health: WebhookHealth,
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

  override async endWaiting({ organizationId, accountId }: Owner, webhook: WebhookId): Promise<void> {
    const { withdrawn } = await this.dueWork.withdraw(WEBHOOK_DELIVERY, webhook);
    const ending = await this.database.write<{ deliveryId: DeliveryId; number: number; startedAt: Date }>(
      // Locked in the order of ids, as replays do.
      `WITH found AS MATERIALIZED (
         SELECT id FROM webhooks.deliveries
         WHERE webhook_id = $1 AND organization_id = $2 AND account_id = $3 AND waits_for IS NOT NULL
         ORDER BY id FOR NO KEY UPDATE
       ), waiting AS (
         UPDATE webhooks.deliveries d SET waits_for = NULL FROM found WHERE d.id = found.id
         RETURNING d.id, d.attempts_before, 0 AS attempt
       ), ending AS (
         SELECT * FROM waiting
         UNION ALL SELECT d.id, d.attempts_before, w.attempt
         FROM UNNEST($4::uuid[], $5::integer[]) AS w (id, attempt) JOIN webhooks.deliveries d ON d.id = w.id
         WHERE d.webhook_id = $1 AND d.organization_id = $2 AND d.account_id = $3
       )
       SELECT id AS "deliveryId", attempts_before + attempt + 1 AS number, platform.now() AS "startedAt" FROM ending`,
      [
        webhook,
        organizationId,
        accountId,
        withdrawn.map(({ key }) => key),
        withdrawn.map(({ attempt }) => attempt),
      ],
    );
    if (ending.length === 0) return;
    // What a replay has put behind one of these meanwhile; it is ended in its turn by whoever claims it.
    const released = await this.log.append(ending.map(unsent));
    await this.dueWork.schedule(WEBHOOK_DELIVERY, released);
  }

  override async recordTest(test: TestDelivery, attempt: Attempt): Promise<string> {
    const { id, organizationId, accountId, webhookId, eventType, paymentRequestId, body } = test;
    await this.database.write(
      `INSERT INTO webhooks.deliveries
         (id, organization_id, account_id, webhook_id, event_type, payment_request_id, body)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, organizationId, accountId, webhookId, eventType, paymentRequestId, body],
    );
    await this.log.append([attempt]);
    await this.health.note(healthOf([{ webhookId, attempt }]));
    const [entry] = await this.database.query<{ id: string }>(
      'SELECT id FROM webhooks.delivery_attempts WHERE delivery_id = $1',
      [id],
    );
    return entry!.id;
  }

  /** Calls `listener` after each commit of this process that queued; other processes' are noticed by polling. */
  onQueued(listener: () => void): void {
    this.listeners.add(listener);
  }
}
