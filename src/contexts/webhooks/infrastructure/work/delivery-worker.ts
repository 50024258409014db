import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { BackgroundLoop } from '../../../../shared/platform/background/background-loop.js';
import { AttemptDelivery } from '../../application/attempt-delivery.js';
import { DeliveryQueue, type ClaimedDelivery } from '../persistence/delivery-queue.js';
import { PostgresDeliveries } from '../persistence/postgres-deliveries.js';
import { WebhooksSettings } from '../webhooks-settings.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { DeliveryLanes } from './delivery-lanes.js';

/** Pause between looks at the queue for retries and for what other processes queued. */
const POLL_MS = 40;
/**
 * Deliveries per claim. Not more than one endpoint may have at a time, so that a claim of nothing but one hanging
 * endpoint's can hardly grow stale while it waits its turn.
 */
const BITE = 16;
/** Started later after its claim, an attempt (1.5 s lookup, 2 s to send) might end after the claim's 7 s. */
const START_WITHIN_MS = 2_750;

interface Item extends ClaimedDelivery {
  /** Of this process's monotonic clock, in milliseconds. */
  readonly claimedAt: number;
  /** What to add to the monotonic clock for the service's. */
  readonly clockOffset: number;
}

/** Attempts what is due, many webhooks side by side. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('webhook deliveries');
  private readonly loop = new BackgroundLoop({ name: 'webhook deliveries', idleMs: POLL_MS }, () =>
    this.turn(),
  );
  private readonly lanes = new DeliveryLanes<Item>(
    (item) => this.attempt(item),
    // Its claim lapses by itself, and then it is claimed afresh.
    ({ claimedAt }) => performance.now() - claimedAt > START_WITHIN_MS,
    () => this.passedOver && this.loop.wake(),
  );
  /** The last look at the queue could not take everything for want of room. */
  private passedOver = false;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly attemptDelivery: AttemptDelivery,
    private readonly recorder: AttemptRecorder,
    private readonly settings: WebhooksSettings,
    deliveries: PostgresDeliveries,
  ) {
    deliveries.onQueued(() => this.loop.wake());
  }

  onApplicationBootstrap(): void {
    this.recorder.start();
    this.loop.start();
  }

  /** Claims no more, and finishes and records what is claimed: a matter of seconds. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.lanes.drained();
    await this.recorder.stop();
  }

  private async turn(): Promise<boolean> {
    const limit = Math.min(BITE, this.settings.deliveryConcurrency - this.lanes.held);
    const busy = this.lanes.busy();
    this.passedOver = limit <= 0 || busy.length > 0;
    if (limit <= 0) return false;
    const claimedAt = performance.now();
    const { now, claimed } = await this.queue.claim(limit, busy);
    const clockOffset = now.getTime() - performance.now();
    for (const item of claimed) this.lanes.add(item.work.lane, { ...item, claimedAt, clockOffset });
    return claimed.length === limit;
  }

  private async attempt({ work, delivery, clockOffset }: Item): Promise<boolean> {
    const startedAt = new Date(performance.now() + clockOffset);
    try {
      const attempt = await this.attemptDelivery.execute({
        delivery,
        number: work.attempt + 1,
        startedAt,
        chance: Math.random(),
      });
      this.recorder.add({ work, attempt });
      return attempt.status === 'delivered';
    } catch (error) {
      this.log.error(
        `delivery ${delivery.id} could not be attempted: ${error instanceof Error ? error.message : String(error)}`,
      );
      return false;
    }
  }
}
