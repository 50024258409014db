import { Injectable } from '@nestjs/common';
import { newId } from '../../../../shared/kernel/ids.js';
import { Database } from '../../../../shared/platform/database/database.js';
import { DueWork, type Claimed, type LaneRooms } from '../../../../shared/platform/due-work/due-work.js';
import type { Attempt } from '../../domain/attempt.js';
import type { DueDelivery } from '../../domain/delivery.js';
import { WEBHOOK_DELIVERY } from './postgres-deliveries.js';

export interface ClaimedDelivery {
  readonly work: Claimed;
  readonly delivery: DueDelivery;
}

/** An attempt with the claim under which it was made. */
export interface ClaimedAttempt {
  readonly work: Claimed;
  readonly attempt: Attempt;
}

interface DueRow extends Omit<DueDelivery, 'secret'> {
  secret_key_id: string;
  sealed_secret: Buffer;
  now: Date;
}

/** The worker's side of the deliveries: what is due, and what came of it. */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly database: Database,
    private readonly dueWork: DueWork,
  ) {}

  /** Claims what is due, of each webhook as far as there is room. @returns also the service's clock at that moment */
  async claim(limit: number, webhooks: LaneRooms): Promise<{ now: Date; claimed: ClaimedDelivery[] }> {
    const works = await this.dueWork.claim(WEBHOOK_DELIVERY, limit, webhooks);
    if (works.length === 0) return { now: new Date(0), claimed: [] };
    const rows = await this.database.query<DueRow>(
      `SELECT d.id, d.webhook_id AS "webhookId", w.url, d.body, w.secret_key_id, w.sealed_secret, platform.now() AS now
       FROM webhooks.deliveries d JOIN webhooks.webhooks w ON w.id = d.webhook_id
       WHERE d.id = ANY($1::uuid[]) AND d.status = 'pending'`,
      [works.map(({ key }) => key)],
    );
    const byKey = new Map(works.map((work) => [work.key, work]));
    const claimed = rows.map(({ secret_key_id: keyId, sealed_secret: bytes, now: _, ...row }) => ({
      work: byKey.get(row.id)!,
      delivery: { ...row, secret: { keyId, bytes } },
    }));
    return { now: rows[0]?.now ?? new Date(0), claimed };
  }

  /**
   * Records attempts and ends or reschedules their deliveries, all or nothing, in a fixed number of statements. An attempt whose claim has lapsed
   * meanwhile leaves no trace: whoever claimed the delivery since will record its own.
   */
  async record(attempts: readonly ClaimedAttempt[]): Promise<void> {
    await this.database.run(async () => {
      const outcomes = attempts.map(({ work, attempt }) => ({ work, again: attempt.nextAttemptAt ?? null }));
      const settled = await this.dueWork.settle(WEBHOOK_DELIVERY, outcomes);
      const held = attempts.filter(({ work }) => settled.has(work)).map(({ attempt }) => attempt);
      if (held.length === 0) return;
      await this.appendToLog(held);
      await this.markWebhooks(held);
    });
  }

  private async appendToLog(attempts: readonly Attempt[]): Promise<void> {
    await this.database.write(
      `WITH attempt AS (
         SELECT * FROM jsonb_to_recordset($1::jsonb) AS a ("id" uuid, "deliveryId" uuid, "number" integer,
           "status" text, "httpStatus" integer, "error" text, "durationMs" integer, "nextAttemptAt" timestamptz,
           "startedAt" timestamptz)
       ), ended AS (
         UPDATE webhooks.deliveries d SET status = a."status" FROM attempt a
         WHERE d.id = a."deliveryId" AND a."status" <> 'pending'
       )
       INSERT INTO webhooks.delivery_attempts (id, organization_id, account_id, delivery_id, webhook_id, event_type,
         payment_request_id, attempt, status, http_status, error, duration_ms, next_attempt_at, created_at)
       SELECT a."id", d.organization_id, d.account_id, d.id, d.webhook_id, d.event_type, d.payment_request_id,
         a."number", a."status", a."httpStatus", a."error", a."durationMs", a."nextAttemptAt", a."startedAt"
       FROM attempt a JOIN webhooks.deliveries d ON d.id = a."deliveryId"`,
      [JSON.stringify(attempts.map((attempt) => ({ ...attempt, id: newId() })))],
    );
  }

  /** Locks in the order of ids, because two workers may record attempts of the same webhooks at once. */
  private async markWebhooks(attempts: readonly Attempt[]): Promise<void> {
    await this.database.write(
      `WITH newest AS (
         SELECT DISTINCT ON (d.webhook_id) d.webhook_id, a.failing
         FROM UNNEST($1::uuid[], $2::timestamptz[], $3::boolean[]) AS a (delivery_id, started_at, failing)
         JOIN webhooks.deliveries d ON d.id = a.delivery_id
         ORDER BY d.webhook_id, a.started_at DESC
       ), changed AS (
         SELECT w.id, n.failing FROM webhooks.webhooks w JOIN newest n ON n.webhook_id = w.id
         WHERE w.failing <> n.failing ORDER BY w.id FOR NO KEY UPDATE OF w
       )
       UPDATE webhooks.webhooks w SET failing = c.failing FROM changed c WHERE w.id = c.id`,
      [
        attempts.map(({ deliveryId }) => deliveryId),
        attempts.map(({ startedAt }) => startedAt),
        attempts.map(({ status }) => status !== 'delivered'),
      ],
    );
  }
}
