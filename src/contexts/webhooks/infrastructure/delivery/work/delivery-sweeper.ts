import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { PostgresInactiveDeliveries } from '../persistence/postgres-inactive-deliveries.js';

const LOOK_EVERY_MS = 1_000;
/** The time for one webhook, so that each has its turn. */
const FOR_MS = 1_000;

/** Finishes deactivations of webhooks that had too many deliveries waiting, or that were interrupted. */
@Injectable()
export class DeliverySweeper extends BackgroundWork {
  protected readonly loops = [
    new BackgroundLoop({ name: 'webhook sweeper', idleMs: LOOK_EVERY_MS }, () => this.turn()),
  ];

  constructor(private readonly inactiveDeliveries: PostgresInactiveDeliveries) {
    super();
  }

  private async turn(): Promise<boolean> {
    for (const webhook of await this.inactiveDeliveries.webhooks())
      await this.inactiveDeliveries.end(webhook, FOR_MS);
    return false;
  }
}
