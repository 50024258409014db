import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '../../../../../shared/platform/background/background-loop.js';
import { EndUnwanted } from '../../../application/registration/end-inactive-deliveries.js';
import { UnwantedDeliveries } from '../../../domain/registration/inactive-deliveries.js';
import { DeliveryQueue } from '../persistence/delivery-queue.js';

const LOOK_EVERY_MS = 1_000;
/** Of one webhook at a time, so that each has its turn. */
const FOR_MS = 1_000;
const RELEASE_EVERY_MS = 60_000;

/**
 * Finishes what others leave behind: deactivations of webhooks with very much waiting, or that were cut off; and
 * followers in a replay whose predecessor a worker of an earlier release has ended.
 */
@Injectable()
export class DeliverySweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new BackgroundLoop({ name: 'webhook sweeper', idleMs: LOOK_EVERY_MS }, () =>
    this.turn(),
  );
  private releasedAt = -Infinity;

  constructor(
    private readonly unwanted: UnwantedDeliveries,
    private readonly endUnwanted: EndUnwanted,
    private readonly queue: DeliveryQueue,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async turn(): Promise<boolean> {
    if (performance.now() - this.releasedAt > RELEASE_EVERY_MS) {
      await this.queue.releaseForgotten();
      this.releasedAt = performance.now();
    }
    for (const webhook of await this.unwanted.webhooks()) await this.endUnwanted.execute(webhook, FOR_MS);
    return false;
  }
}
