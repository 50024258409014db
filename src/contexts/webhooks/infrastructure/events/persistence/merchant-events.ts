import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import type { MerchantEvent } from '#contexts/webhooks/domain/events/merchant-events.js';

export const MERCHANT_EVENTS_SUBSCRIBER = 'webhook_events';
/** Their transactions may not be visible yet. */
const IGNORED_EVENT_AGE_SECONDS = 10;

@Injectable()
export class MerchantEvents {
  constructor(private readonly database: Database) {}

  /** Skips recorded events. Requires a unit of work, and only one caller at a time. */
  async record(events: readonly MerchantEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.database.queryInTransaction(
      `INSERT INTO webhooks.events
         (id, organization_id, account_id, event_type, payment_request_id, occurred_at, body, underpayment_accepted)
       SELECT "id", "organizationId", "accountId", "eventType", "paymentRequestId", "occurredAt", "body",
         "underpaymentAccepted"
       FROM jsonb_to_recordset($1::jsonb) AS e (n integer, "id" uuid, "organizationId" uuid, "accountId" uuid,
         "eventType" text, "paymentRequestId" uuid, "occurredAt" timestamptz, "body" text, "underpaymentAccepted" boolean)
       ORDER BY n
       ON CONFLICT (id) DO NOTHING`,
      [JSON.stringify(events.map((event, n) => ({ ...event, n })))],
    );
  }

  async areRecordedUntil(time: Date): Promise<boolean> {
    const behind = await this.database.query(
      `SELECT FROM (
         SELECT e.occurred_at FROM platform.events e
         WHERE e.transaction_id
             >= COALESCE((SELECT transaction_id FROM platform.subscriber_positions WHERE subscriber = $2), '0'::xid8)
           AND (e.transaction_id, e.position) > (
           COALESCE((SELECT transaction_id FROM platform.subscriber_positions WHERE subscriber = $2), '0'::xid8),
           COALESCE((SELECT position FROM platform.subscriber_positions WHERE subscriber = $2), 0))
         ORDER BY e.transaction_id, e.position LIMIT 1) next
       WHERE next.occurred_at < LEAST($1, platform.now() - interval '${IGNORED_EVENT_AGE_SECONDS} seconds')`,
      [time, MERCHANT_EVENTS_SUBSCRIBER],
    );
    return behind.length === 0;
  }
}
