import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';

export const MAX_ATTEMPTS_PER_PRUNING_STEP = 200;

export interface FinalAttemptCursor {
  /** Microseconds, because a Date would skip attempts or check them twice. */
  readonly at: string;
  readonly id: string;
}

/** $1 days, $2 and $3 the position to start after, $4 limit. Keeps a delivery that is resent concurrently. */
export const PRUNE_DELIVERIES_SQL = `
WITH cutoff AS MATERIALIZED (
  SELECT platform.now() - make_interval(days => $1) AS at
), old AS MATERIALIZED (
  SELECT id, delivery_id, created_at FROM webhooks.delivery_attempts
  WHERE status <> 'pending' AND (created_at, id) > ($2::timestamptz, $3::uuid) AND created_at <= (SELECT at FROM cutoff)
  ORDER BY created_at, id LIMIT $4
), over AS MATERIALIZED (
  SELECT d.id, d.webhook_id, d.event_id FROM webhooks.deliveries d
  WHERE d.id = ANY (ARRAY(SELECT delivery_id FROM old)) AND d.status <> 'pending'
    AND NOT EXISTS (SELECT FROM webhooks.delivery_attempts a
      WHERE a.delivery_id = d.id AND a.created_at > (SELECT at FROM cutoff))
  ORDER BY d.id FOR UPDATE OF d SKIP LOCKED
), attempts AS (
  DELETE FROM webhooks.delivery_attempts WHERE delivery_id = ANY (ARRAY(SELECT id FROM over))
), deliveries AS (
  DELETE FROM webhooks.deliveries WHERE id = ANY (ARRAY(SELECT id FROM over))
), newest AS (
  SELECT o.webhook_id, max(e.occurred_at) AS at FROM over o JOIN platform.events e ON e.id = o.event_id
  WHERE e.id = ANY (ARRAY(SELECT event_id FROM over)) GROUP BY o.webhook_id
)
SELECT (SELECT count(*)::integer FROM old) AS checked,
  (SELECT to_json(created_at) #>> '{}' FROM old ORDER BY created_at DESC, id DESC LIMIT 1) AS at,
  (SELECT id FROM old ORDER BY created_at DESC, id DESC LIMIT 1) AS id,
  COALESCE((SELECT jsonb_agg(jsonb_build_object('id', webhook_id, 'at', at)) FROM newest), '[]') AS newest`;

/** Ordered. A separate statement, because workers lock a webhook only after the total of its account's log. */
const MARK_WEBHOOKS_PRUNED = `
WITH newer AS (
  SELECT w.id, n.at FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, at timestamptz) JOIN webhooks.webhooks w ON w.id = n.id
  WHERE w.deliveries_pruned_until IS NULL OR w.deliveries_pruned_until < n.at
  ORDER BY w.id FOR NO KEY UPDATE OF w
)
UPDATE webhooks.webhooks w SET deliveries_pruned_until = n.at FROM newer n WHERE w.id = n.id`;

const BEFORE_FIRST_ATTEMPT: FinalAttemptCursor = {
  at: '-infinity',
  id: '00000000-0000-0000-0000-000000000000',
};

interface PruningStep {
  checked: number;
  at: string;
  id: string;
  newest: { id: string; at: string }[];
}

@Injectable()
export class PruneDeliveries {
  constructor(
    private readonly database: Database,
    private readonly settings: WebhooksSettings,
  ) {}

  /**
   * Keeps a delivery that is pending, locked, or was attempted later. @param after cursor of the previous call
   * @returns undefined if no attempts remain
   */
  prune(
    after?: FinalAttemptCursor,
    limit = MAX_ATTEMPTS_PER_PRUNING_STEP,
  ): Promise<FinalAttemptCursor | undefined> {
    const from = after ?? BEFORE_FIRST_ATTEMPT;
    return this.database.run(async () => {
      const values = [this.settings.deliveryRetentionDays, from.at, from.id, limit];
      const [step] = await this.database.queryInTransaction<PruningStep>(PRUNE_DELIVERIES_SQL, values);
      const { checked, at, id, newest } = step!;
      if (newest.length > 0)
        await this.database.queryInTransaction(MARK_WEBHOOKS_PRUNED, [JSON.stringify(newest)]);
      return checked === limit ? { at, id } : undefined;
    });
  }
}
