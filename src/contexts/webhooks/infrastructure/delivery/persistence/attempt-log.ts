import { Injectable } from '@nestjs/common';
import { newId, type DeliveryId, type WebhookId, type PaymentRequestId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { Database } from '#shared/platform/database/database.js';
import { ListOrder } from '#shared/platform/database/list-order.js';
import { type PageRow, type RowOf, withoutNulls } from '#shared/platform/database/rows.js';
import type { Attempt } from '#contexts/webhooks/domain/delivery/attempt.js';
import type { WebhookOwner, WebhookEventType } from '#contexts/webhooks/domain/registration/webhook.js';
import type { TimeRange } from '#shared/kernel/instant.js';
import type { DeliveryStatus } from '#contexts/webhooks/domain/delivery/delivery.js';

export interface LoggedAttempt extends Attempt {
  readonly id: string;
  readonly deliveryId: DeliveryId;
  readonly webhookId: WebhookId;
  readonly eventId?: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: string;
}

export interface AttemptWithBody extends LoggedAttempt {
  readonly body: string;
  /** This attempt failed, and the delivery waits for another attempt. */
  readonly willBeRetried: boolean;
}

export interface AttemptFilter extends TimeRange {
  readonly status?: DeliveryStatus;
  readonly paymentRequestId?: PaymentRequestId;
}

export interface UnblockedDelivery {
  readonly key: DeliveryId;
  readonly lane: WebhookId;
  readonly dueAt: Date;
}

const ATTEMPT_COLUMNS = `a.id, a.delivery_id, a.webhook_id, d.event_id, a.event_type, a.payment_request_id,
  a.attempt AS number, a.status, a.http_status, a.error, a.duration_ms, a.next_attempt_at, a.created_at AS started_at`;

const NEWEST_ATTEMPT_FIRST = new ListOrder('DESC', [
  { column: 'created_at', kind: 'time', field: 'startedAt' },
  { column: 'id', kind: 'id' },
]);

@Injectable()
export class AttemptLog {
  constructor(private readonly database: Database) {}

  /**
   * Requires a unit of work. @returns deliveries that waited for one that has now ended; the caller must schedule
   * them
   */
  append(attempts: readonly (Attempt & { readonly id?: string })[]): Promise<UnblockedDelivery[]> {
    // Ids are passed twice: for a join with JSON rows only, the planner chooses a full scan while the table is small
    // and keeps that plan.
    return this.database.queryInTransaction<UnblockedDelivery>(
      `WITH attempt AS (
         SELECT * FROM jsonb_to_recordset($1::jsonb) AS a ("id" uuid, "deliveryId" uuid, "number" integer,
           "status" text, "httpStatus" integer, "error" text, "durationMs" integer, "nextAttemptAt" timestamptz,
           "startedAt" timestamptz)
       ), ended AS (
         UPDATE webhooks.deliveries d SET status = a."status" FROM attempt a
         WHERE d.id = a."deliveryId" AND d.id = ANY($2::uuid[]) AND a."status" <> 'pending'
       ), logged AS (
         INSERT INTO webhooks.delivery_attempts (id, organization_id, account_id, delivery_id, webhook_id, event_type,
           payment_request_id, attempt, status, http_status, error, duration_ms, next_attempt_at, created_at)
         SELECT a."id", d.organization_id, d.account_id, d.id, d.webhook_id, d.event_type, d.payment_request_id,
           a."number", a."status", a."httpStatus", a."error", a."durationMs", a."nextAttemptAt", a."startedAt"
         FROM attempt a JOIN webhooks.deliveries d ON d.id = a."deliveryId"
         WHERE d.id = ANY($2::uuid[])
       )
       UPDATE webhooks.deliveries follower SET waits_for = NULL FROM attempt a
       WHERE follower.waits_for = a."deliveryId" AND follower.waits_for = ANY($2::uuid[]) AND a."status" <> 'pending'
       RETURNING follower.id AS key, follower.webhook_id AS lane, platform.now() AS due_at`,
      [
        JSON.stringify(attempts.map((attempt) => ({ id: newId(), ...attempt }))),
        attempts.map(({ deliveryId }) => deliveryId),
      ],
    );
  }

  async page({ organizationId, accountId }: WebhookOwner, page: PageRequest): Promise<Page<LoggedAttempt>> {
    const rows = await this.database.queryReplica<PageRow<RowOf<LoggedAttempt>>>(
      `SELECT length.total, a.* FROM
         (SELECT COALESCE((SELECT attempts::int FROM webhooks.attempt_totals WHERE account_id = $2), 0) AS total) length
       LEFT JOIN (
         SELECT ${ATTEMPT_COLUMNS}
         FROM (SELECT * FROM webhooks.delivery_attempts WHERE account_id = $2 AND organization_id = $1
                 AND ${NEWEST_ATTEMPT_FIRST.afterCursorSql(3)}
               ORDER BY account_id, ${NEWEST_ATTEMPT_FIRST.orderBySql()} ${NEWEST_ATTEMPT_FIRST.limitSql(3)}) a
         JOIN webhooks.deliveries d ON d.id = a.delivery_id) a ON true
       ORDER BY a.started_at DESC, a.id DESC`,
      [organizationId, accountId, ...NEWEST_ATTEMPT_FIRST.parameters(page)],
    );
    return NEWEST_ATTEMPT_FIRST.page(rows, page, (row) => withoutNulls<LoggedAttempt>(row));
  }

  async pageOfWebhook(
    { organizationId, accountId }: WebhookOwner,
    webhook: WebhookId,
    { status, paymentRequestId, from, before }: AttemptFilter,
    page: PageRequest,
  ): Promise<Page<AttemptWithBody>> {
    const rows = await this.database.queryReplica<PageRow<RowOf<AttemptWithBody>>>(
      `WITH matching AS NOT MATERIALIZED (
         SELECT * FROM webhooks.delivery_attempts
         WHERE webhook_id = $1 AND organization_id = $2 AND account_id = $3
           AND ($4::text IS NULL OR status = $4) AND ($5::uuid IS NULL OR payment_request_id = $5)
           AND created_at >= COALESCE($6, '-infinity'::timestamptz)
           AND created_at < COALESCE($7, 'infinity'::timestamptz)
       )
       SELECT length.total, a.* FROM (SELECT count(*)::int AS total FROM matching) length
       LEFT JOIN (
         SELECT ${ATTEMPT_COLUMNS}, d.body, a.status = 'pending' AND d.status = 'pending' AS will_be_retried
         FROM (SELECT * FROM matching WHERE ${NEWEST_ATTEMPT_FIRST.afterCursorSql(8)}
               ORDER BY webhook_id, ${NEWEST_ATTEMPT_FIRST.orderBySql()} ${NEWEST_ATTEMPT_FIRST.limitSql(8)}) a
         JOIN webhooks.deliveries d ON d.id = a.delivery_id) a ON true
       ORDER BY a.started_at DESC, a.id DESC`,
      [
        webhook,
        organizationId,
        accountId,
        status ?? null,
        paymentRequestId ?? null,
        from ?? null,
        before ?? null,
        ...NEWEST_ATTEMPT_FIRST.parameters(page),
      ],
    );
    return NEWEST_ATTEMPT_FIRST.page(rows, page, (row) => withoutNulls<AttemptWithBody>(row));
  }
}
