import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '../../../../../shared/platform/background/background-loop.js';
import { EndUnwanted } from '../../../application/registration/end-inactive-deliveries.js';
import { UnwantedDeliveries } from '../../../domain/registration/inactive-deliveries.js';

const LOOK_EVERY_MS = 1_000;
/** Of one webhook at a time, so that each has its turn. */
const FOR_MS = 1_000;

/** Finishes deactivations of webhooks that had too many deliveries waiting, or that were interrupted. */
@Injectable()
export class DeliverySweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop = new BackgroundLoop({ name: 'webhook sweeper', idleMs: LOOK_EVERY_MS }, () =>
    this.turn(),
  );

  constructor(
    private readonly unwanted: UnwantedDeliveries,
    private readonly endUnwanted: EndUnwanted,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async turn(): Promise<boolean> {
    for (const webhook of await this.unwanted.webhooks()) await this.endUnwanted.execute(webhook, FOR_MS);
    return false;
  }
}
