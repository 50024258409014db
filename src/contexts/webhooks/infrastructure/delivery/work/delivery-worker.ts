import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Attempt } from '#contexts/webhooks/domain/delivery/attempt.js';
import { runTraced } from '#shared/platform/tracing/tracing.js';
import { Database } from '#shared/platform/database/database.js';
import { rememberExternalSend } from '#shared/platform/database/recent-external-sends.js';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { AttemptDelivery } from '#contexts/webhooks/application/delivery/attempt-delivery.js';
import { DeliveryQueue, type ClaimedDelivery } from '../persistence/delivery-queue.js';
import { Deliveries } from '../persistence/deliveries.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { WebhookStateCache } from './webhook-state-cache.js';
import { DeliveryConcurrency } from './delivery-concurrency.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { WEBHOOKS_LOG_EVENTS } from '../../log-events.js';

/** For retries and deliveries queued by other processes. */
const POLL_MS = 40;
const BUSY_POLL_MS = 10;
const MAX_DELIVERIES_PER_CLAIM = 64;
/** Attempts must be recorded before their claims expire. */
const MAX_UNRECORDED_ATTEMPTS = 1_000;
/** A later attempt might end after its claim expires (7 s): the DNS lookup can take 1.5 s and the request 2 s. */
const MAX_CLAIM_TO_START_MS = 2_750;

interface TimedDelivery extends ClaimedDelivery {
  /** Time of the claim in monotonic milliseconds. */
  readonly claimedAt: number;
  readonly clockOffset: number;
}

@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new OperatorLogWriter('webhook deliveries', WEBHOOKS_LOG_EVENTS);
  private readonly loop = new BackgroundLoop(
    { name: 'webhook deliveries', idleMs: POLL_MS, busyMs: BUSY_POLL_MS },
    () => this.claimDueDeliveries(),
  );
  private readonly lanes: DeliveryConcurrency<TimedDelivery>;
  /** Due deliveries may be left because of the concurrency limit. */
  private passedOver = false;
  /** A database failover may have lost older claims. */
  private claimsHoldSince = -Infinity;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly attemptDelivery: AttemptDelivery,
    private readonly recorder: AttemptRecorder,
    private readonly states: WebhookStateCache,
    settings: WebhooksSettings,
    deliveries: Deliveries,
    database: Database,
  ) {
    database.identity.onAnotherTimeline(() => (this.claimsHoldSince = performance.now()));
    this.lanes = new DeliveryConcurrency({
      capacity: settings.deliveryConcurrency,
      run: (item) => this.attemptClaimed(item),
      // The claim of a stale delivery expires, and a worker claims it again.
      isStale: ({ claimedAt }) =>
        claimedAt < this.claimsHoldSince || performance.now() - claimedAt > MAX_CLAIM_TO_START_MS,
      onRoom: () => this.passedOver && this.loop.wake(),
    });
    deliveries.onQueued(() => this.loop.wake());
  }

  onApplicationBootstrap(): void {
    this.recorder.start();
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.lanes.whenDrained();
    await this.recorder.stop();
  }

  private async claimDueDeliveries(): Promise<boolean> {
    this.passedOver = true;
    const { total, lanes } = this.lanes.room();
    const limit = Math.min(
      MAX_DELIVERIES_PER_CLAIM,
      total,
      MAX_UNRECORDED_ATTEMPTS - this.recorder.unrecorded,
    );
    if (limit <= 0) return false;
    const claimedAt = performance.now();
    const { now, claimed } = await this.queue.claim(limit, lanes);
    const clockOffset = now.getTime() - performance.now();
    for (const item of claimed) this.lanes.add(item.work.lane, { ...item, claimedAt, clockOffset });
    this.passedOver = this.lanes.isFull();
    return claimed.length > 0;
  }

  private async attemptClaimed(item: TimedDelivery): Promise<boolean> {
    const { work, clockOffset } = item;
    try {
      const delivery = await this.states.refresh(item, item.claimedAt);
      const startedAt = new Date(performance.now() + clockOffset);
      rememberExternalSend({
        kind: 'webhook',
        id: delivery.id,
        to: URL.parse(delivery.url)?.host ?? delivery.url,
      });
      const plan = { failuresBefore: work.attempt, chance: Math.random() };
      const attempt = await traceAttempt(delivery.webhookId, () =>
        this.attemptDelivery.attempt({ delivery, startedAt, plan }),
      );
      this.recorder.add({ work, attempt });
      if (attempt.error === 'secret_unavailable')
        this.log.write('webhook.secret_unavailable', { webhook_id: delivery.webhookId });
      // A delivery skipped because its webhook is inactive counts as a success.
      return attempt.status === 'delivered' || attempt.error === 'webhook_inactive';
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.write('webhook.attempt_failed', { delivery_id: work.key, reason });
      return false;
    }
  }
}

/** No trace context for the receiver: merchants must not see which requests are traced. */
function traceAttempt(webhookId: string, send: () => Promise<Attempt>): Promise<Attempt> {
  const start = { name: 'webhook delivery', kind: 'client', parent: 'none' } as const;
  return runTraced({ ...start, fields: { 'webhook.id': webhookId } }, async (span) => {
    const attempt = await send();
    const { httpStatus, error, number } = attempt;
    span?.set({
      ...{ 'webhook.delivery.id': attempt.deliveryId, 'webhook.attempt': number },
      ...(httpStatus !== undefined && { 'http.response.status_code': httpStatus }),
      ...(error !== undefined && { 'webhook.error': error }),
    });
    if (error !== undefined) span?.fail(undefined);
    return attempt;
  });
}
