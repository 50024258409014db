import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Attempt } from '#contexts/webhooks/domain/delivery/attempt.js';
import { traced } from '#shared/platform/tracing/tracing.js';
import { Database } from '#shared/platform/database/database.js';
import { recordOutgoing } from '#shared/platform/database/sent-lately.js';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { AttemptDelivery } from '#contexts/webhooks/application/delivery/attempt-delivery.js';
import { DeliveryQueue, type ClaimedDelivery } from '../persistence/delivery-queue.js';
import { Deliveries } from '../persistence/deliveries.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { WebhookStateCache } from './webhook-state-cache.js';
import { DeliveryConcurrency } from './delivery-concurrency.js';
import { EventLogger } from '#shared/platform/logging/event-logger.js';
import { WEBHOOKS_LOG_EVENTS } from '../../log-events.js';

/** Interval of polling for retries and for deliveries queued by other processes. */
const POLL_MS = 40;
const CLAIM_SIZE = 64;
/** Limit of unrecorded attempts. At the limit the worker stops claiming, so that claims do not expire before they are recorded. */
const MAX_UNRECORDED = 1_000;
/**
 * An attempt that starts later after its claim might end after the claim expires (7 s), because it can take 1.5 s for the DNS
 * lookup and 2 s for the request.
 */
const START_WITHIN_MS = 2_750;

interface Item extends ClaimedDelivery {
  /** Monotonic clock of this process, in milliseconds. */
  readonly claimedAt: number;
  /** The service's clock minus the monotonic clock. */
  readonly clockOffset: number;
}

/** Attempts due deliveries of many webhooks concurrently. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new EventLogger('webhook deliveries', WEBHOOKS_LOG_EVENTS);
  private readonly loop = new BackgroundLoop({ name: 'webhook deliveries', idleMs: POLL_MS }, () =>
    this.turn(),
  );
  private readonly lanes: DeliveryConcurrency<Item>;
  /** True if the last cycle may have left due deliveries in the queue for lack of room. */
  private passedOver = false;
  /** Monotonic time of the last database failover. Another process may hold older claims now. */
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
      run: (item) => this.attempt(item),
      // The claim expires, and the delivery is claimed again.
      isStale: ({ claimedAt }) =>
        claimedAt < this.claimsHoldSince || performance.now() - claimedAt > START_WITHIN_MS,
      onRoom: () => this.passedOver && this.loop.wake(),
    });
    deliveries.onQueued(() => this.loop.wake());
  }

  onApplicationBootstrap(): void {
    this.recorder.start();
    this.loop.start();
  }

  /** Stops claiming, then finishes and records the claimed deliveries, which takes seconds. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.lanes.drained();
    await this.recorder.stop();
  }

  private async turn(): Promise<boolean> {
    this.passedOver = true;
    const { total, lanes } = this.lanes.room();
    const limit = Math.min(CLAIM_SIZE, total, MAX_UNRECORDED - this.recorder.unrecorded);
    if (limit <= 0) return false;
    const claimedAt = performance.now();
    const { now, claimed } = await this.queue.claim(limit, lanes);
    const clockOffset = now.getTime() - performance.now();
    for (const item of claimed) this.lanes.add(item.work.lane, { ...item, claimedAt, clockOffset });
    this.passedOver = this.lanes.isFull();
    // Under load more deliveries are likely to be due, so this does not wait for the next poll.
    return claimed.length > 0;
  }

  private async attempt(item: Item): Promise<boolean> {
    const { work, clockOffset } = item;
    try {
      const delivery = await this.states.refresh(item, item.claimedAt);
      const startedAt = new Date(performance.now() + clockOffset);
      recordOutgoing({ kind: 'webhook', id: delivery.id, to: URL.parse(delivery.url)?.host ?? delivery.url });
      const plan = { failuresBefore: work.attempt, chance: Math.random() };
      const attempt = await attemptSpan(delivery.webhookId, () =>
        this.attemptDelivery.attempt({ delivery, startedAt, plan }),
      );
      this.recorder.add({ work, attempt });
      if (attempt.error === 'secret_unavailable')
        this.log.write('webhook.secret_unavailable', { webhook_id: delivery.webhookId });
      // Skipping an inactive webhook also counts as a success of the lane.
      return attempt.status === 'delivered' || attempt.error === 'webhook_inactive';
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.write('webhook.attempt_failed', { delivery_id: work.key, reason });
      return false;
    }
  }
}

/** Sends no trace context to the receiver, so that merchants cannot see which requests are traced. */
function attemptSpan(webhookId: string, send: () => Promise<Attempt>): Promise<Attempt> {
  const start = { name: 'webhook delivery', kind: 'client', parent: 'none' } as const;
  return traced({ ...start, fields: { 'webhook.id': webhookId } }, async (span) => {
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
