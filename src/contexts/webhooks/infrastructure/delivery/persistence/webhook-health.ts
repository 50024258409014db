import { Injectable } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import {
  FAILING_AFTER_MS,
  type ObservedWebhookHealth,
} from '#contexts/webhooks/domain/delivery/failing-webhook-rule.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { WEBHOOKS_LOG_EVENTS } from '../../log-events.js';

@Injectable()
export class WebhookHealth {
  private readonly log = new OperatorLogWriter('webhook health', WEBHOOKS_LOG_EVENTS);

  constructor(private readonly database: Database) {}

  /** Writes only changes, which are rare, and logs them. Requires a unit of work. */
  async update(seen: readonly ObservedWebhookHealth[]): Promise<void> {
    // Ordered, because two workers may record attempts of the same webhooks.
    const changed = await this.database.queryInTransaction<{
      webhookId: WebhookId;
      failing: boolean;
      changed: boolean;
    }>(
      `WITH changing AS (
         SELECT w.id, w.failing AS before, next.since,
           COALESCE(s.last_failed_at - next.since >= make_interval(secs => $5), false) AS failing
         FROM UNNEST($1::uuid[], $2::boolean[], $3::timestamptz[], $4::timestamptz[])
           AS s (id, acknowledged, first_failed_at, last_failed_at)
         JOIN webhooks.webhooks w ON w.id = s.id
         CROSS JOIN LATERAL (SELECT CASE WHEN s.acknowledged THEN s.first_failed_at
           ELSE COALESCE(w.failing_since, s.first_failed_at) END AS since) next
         WHERE (w.failing_since, w.failing) IS DISTINCT FROM
           (next.since, COALESCE(s.last_failed_at - next.since >= make_interval(secs => $5), false))
         ORDER BY w.id FOR NO KEY UPDATE OF w
       )
       UPDATE webhooks.webhooks w SET failing_since = c.since, failing = c.failing FROM changing c WHERE w.id = c.id
       RETURNING w.id AS webhook_id, w.failing, c.before <> c.failing AS changed`,
      [
        seen.map(({ webhookId }) => webhookId),
        seen.map(({ acknowledged }) => acknowledged),
        seen.map(({ firstFailedAt }) => firstFailedAt ?? null),
        seen.map(({ lastFailedAt }) => lastFailedAt ?? null),
        FAILING_AFTER_MS / 1000,
      ],
    );
    this.database.afterCommit(() => {
      for (const { webhookId, failing } of changed.filter((mark) => mark.changed)) {
        this.log.write(failing ? 'webhook.failing' : 'webhook.recovered', { webhook_id: webhookId });
      }
    });
  }
}
