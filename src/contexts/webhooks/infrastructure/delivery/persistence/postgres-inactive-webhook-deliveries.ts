import { Injectable } from '@nestjs/common';
import type { DeliveryId, WebhookId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { selectIdsRoundRobin } from '#shared/platform/database/in-turns.sql.js';
import { ScheduledJobs } from '#shared/platform/due-work/scheduled-jobs.js';
import { failUnsentAttempt } from '#contexts/webhooks/domain/delivery/attempt.js';
import { InactiveWebhookDeliveries } from '#contexts/webhooks/application/registration/change-webhook-status.js';
import { AttemptLog } from './attempt-log.js';
import { ACTIVE_SINCE_QUEUED, WEBHOOK_DELIVERY_JOB_KIND } from './deliveries.js';

const MAX_DELIVERIES_PER_UNIT_OF_WORK = 1_000;
const MAX_WEBHOOKS_PER_QUERY = 10;

export const WEBHOOKS_WITH_DELIVERIES_TO_FAIL_SQL = `SELECT id FROM ${selectIdsRoundRobin({
  table: 'webhooks.webhooks',
  waits: 't.ending_deliveries',
  oldestFirst: 't.id',
  limit: '$1',
})} taken ORDER BY turn, id`;

@Injectable()
export class PostgresInactiveWebhookDeliveries extends InactiveWebhookDeliveries {
  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly log: AttemptLog,
  ) {
    super();
  }

  async findWebhooks(): Promise<WebhookId[]> {
    const rows = await this.database.query<{ id: WebhookId }>(WEBHOOKS_WITH_DELIVERIES_TO_FAIL_SQL, [
      MAX_WEBHOOKS_PER_QUERY,
    ]);
    return rows.map(({ id }) => id);
  }

  override async failPending(webhook: WebhookId, forMs: number): Promise<void> {
    const begun = performance.now();
    let more: boolean;
    do more = await this.database.run(() => this.endBatch(webhook));
    while (more && performance.now() - begun < forMs);
  }

  private async endBatch(webhook: WebhookId): Promise<boolean> {
    // A second process would find all deliveries locked and clear the flag, and a rollback of the first would leave
    // them pending.
    const [turn] = await this.database.queryInTransaction<{ mine: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('webhook ending ' || $1, 0)) AS mine`,
      [webhook],
    );
    if (!turn!.mine) return false;
    const held = await this.scheduledJobs.lockJobs(
      WEBHOOK_DELIVERY_JOB_KIND,
      webhook,
      MAX_DELIVERIES_PER_UNIT_OF_WORK,
    );
    const inactiveWebhookDeliveries = await this.database.queryInTransaction<{
      deliveryId: DeliveryId;
      number: number;
      startedAt: Date;
    }>(
      `SELECT d.id AS delivery_id, d.attempts_before + h.attempt + 1 AS number, platform.now() AS started_at
       FROM UNNEST($1::uuid[], $2::integer[]) AS h (id, attempt) JOIN webhooks.deliveries d ON d.id = h.id
       JOIN webhooks.webhooks w ON w.id = d.webhook_id
       WHERE d.id = ANY($1::uuid[]) AND NOT (${ACTIVE_SINCE_QUEUED})`,
      [held.map(({ key }) => key), held.map(({ attempt }) => attempt)],
    );
    if (inactiveWebhookDeliveries.length === 0) {
      await this.database.queryInTransaction(
        'UPDATE webhooks.webhooks SET ending_deliveries = false WHERE id = $1 AND ending_deliveries',
        [webhook],
      );
      return false;
    }
    await this.scheduledJobs.cancel(
      WEBHOOK_DELIVERY_JOB_KIND,
      webhook,
      inactiveWebhookDeliveries.map(({ deliveryId }) => deliveryId),
      'passed_over',
    );
    // Waiting deliveries of a replay are now due.
    const released = await this.log.append(inactiveWebhookDeliveries.map(failUnsentAttempt));
    await this.scheduledJobs.schedule(WEBHOOK_DELIVERY_JOB_KIND, released);
    return true;
  }
}
