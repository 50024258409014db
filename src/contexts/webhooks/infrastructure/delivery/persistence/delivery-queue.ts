import { Injectable } from '@nestjs/common';
import type { DeliveryId, WebhookId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { ScheduledJobs, type ClaimedJob, type LaneLimits } from '#shared/platform/due-work/scheduled-jobs.js';
import { failUnsentAttempt, type Attempt } from '#contexts/webhooks/domain/delivery/attempt.js';
import type { DueDelivery } from '#contexts/webhooks/domain/delivery/delivery.js';
import { observeHealth } from '#contexts/webhooks/domain/delivery/failing-webhook-rule.js';
import { AttemptLog } from './attempt-log.js';
import {
  SECRET_COLUMNS,
  signingSecrets,
  type SigningSecretsRow,
} from '../../registration/persistence/webhook-queries.js';
import { ACTIVE_SINCE_QUEUED, WEBHOOK_DELIVERY_JOB_KIND } from './deliveries.js';
import { WebhookHealth } from './webhook-health.js';

export interface ClaimedDelivery {
  readonly work: ClaimedJob;
  readonly delivery: DueDelivery;
  /** Read when the delivery was claimed. */
  readonly subscribedSince: string;
}

export interface WebhookState extends Pick<DueDelivery, 'url' | 'secrets' | 'active'> {
  readonly subscribedSince: string;
}

export interface ClaimedAttempt {
  readonly work: ClaimedJob;
  readonly attempt: Attempt;
}

interface DueRow extends Omit<DueDelivery, 'secrets'>, SigningSecretsRow {
  subscribedSince: string;
  now: Date;
}

@Injectable()
export class DeliveryQueue {
  private readonly observers = new Set<(attempts: readonly Attempt[]) => void>();

  constructor(
    private readonly database: Database,
    private readonly scheduledJobs: ScheduledJobs,
    private readonly log: AttemptLog,
    private readonly health: WebhookHealth,
  ) {}

  async claim(limit: number, webhooks: LaneLimits): Promise<{ now: Date; claimed: ClaimedDelivery[] }> {
    const works = await this.scheduledJobs.claim(WEBHOOK_DELIVERY_JOB_KIND, limit, webhooks);
    if (works.length === 0) return { now: new Date(0), claimed: [] };
    const rows = await this.database.query<DueRow>(
      `SELECT d.id, COALESCE(d.event_id, d.id) AS message_id, d.webhook_id, w.url, d.body,
         ${ACTIVE_SINCE_QUEUED} AS active, w.subscribed_since::text AS subscribed_since,
         d.attempts_before, ${SECRET_COLUMNS}, platform.now() AS now
       FROM webhooks.deliveries d JOIN webhooks.webhooks w ON w.id = d.webhook_id
       WHERE d.id = ANY($1::uuid[]) AND d.status = 'pending'`,
      [works.map(({ key }) => key)],
    );
    const byKey = new Map(works.map((work) => [work.key, work]));
    const claimed = rows.map(({ id, messageId, webhookId, url, body, active, attemptsBefore, ...row }) => ({
      work: byKey.get(id)!,
      delivery: {
        id,
        messageId,
        webhookId,
        url,
        body,
        active,
        attemptsBefore,
        secrets: signingSecrets(row),
      },
      subscribedSince: row.subscribedSince,
    }));
    return { now: rows[0]?.now ?? new Date(0), claimed };
  }

  async webhookDeliverySettings(id: WebhookId): Promise<WebhookState> {
    const [row] = await this.database.query<WebhookState & SigningSecretsRow>(
      `SELECT url, active, subscribed_since::text AS subscribed_since, ${SECRET_COLUMNS}
       FROM webhooks.webhooks WHERE id = $1`,
      [id],
    );
    const { url, active, subscribedSince } = row!;
    return { url, active, subscribedSince, secrets: signingSecrets(row!) };
  }

  /**
   * A constant number of statements. Ignores an attempt whose claim has expired, because another worker repeats the
   * delivery.
   */
  recordAttempts(attempts: readonly ClaimedAttempt[]): Promise<void> {
    return this.database.run(async () => {
      const outcomes = attempts.map(({ work, attempt }) => ({ work, again: attempt.nextAttemptAt ?? null }));
      const settled = await this.scheduledJobs.recordResults(WEBHOOK_DELIVERY_JOB_KIND, outcomes);
      const held = attempts
        .filter(({ work }) => settled.has(work))
        .map(({ work, attempt }) => ({ webhookId: work.lane as WebhookId, attempt }));
      if (held.length === 0) return;
      const released = await this.log.append(held.map(({ attempt }) => attempt));
      await this.scheduledJobs.schedule(WEBHOOK_DELIVERY_JOB_KIND, released);
      await this.endInactive(held);
      await this.health.update(observeHealth(held));
      this.database.afterCommit(() =>
        this.observers.forEach((observer) => observer(held.map(({ attempt }) => attempt))),
      );
    });
  }

  onRecorded(observer: (attempts: readonly Attempt[]) => void): void {
    this.observers.add(observer);
  }

  /** A deactivation skips claimed deliveries. */
  private async endInactive(held: readonly { webhookId: WebhookId; attempt: Attempt }[]): Promise<void> {
    const pending = held.filter(({ attempt }) => attempt.status === 'pending');
    if (pending.length === 0) return;
    const inactiveWebhookDeliveries = await this.database.queryInTransaction<{
      id: DeliveryId;
      webhookId: WebhookId;
      startedAt: Date;
    }>(
      `SELECT d.id, d.webhook_id, platform.now() AS started_at
       FROM webhooks.deliveries d JOIN webhooks.webhooks w ON w.id = d.webhook_id
       WHERE d.id = ANY($1::uuid[]) AND NOT (${ACTIVE_SINCE_QUEUED})`,
      [pending.map(({ attempt }) => attempt.deliveryId)],
    );
    if (inactiveWebhookDeliveries.length === 0) return;
    const numbers = new Map(pending.map(({ attempt }) => [attempt.deliveryId, attempt.number]));
    for (const { id, webhookId } of inactiveWebhookDeliveries)
      await this.scheduledJobs.cancel(WEBHOOK_DELIVERY_JOB_KIND, webhookId, [id]);
    const released = await this.log.append(
      inactiveWebhookDeliveries.map(({ id, startedAt }) =>
        failUnsentAttempt({ deliveryId: id, number: numbers.get(id)! + 1, startedAt }),
      ),
    );
    // The webhook is inactive too, so workers mark these deliveries as failed.
    await this.scheduledJobs.schedule(WEBHOOK_DELIVERY_JOB_KIND, released);
  }
}
