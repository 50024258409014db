import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { PruneDeliveries, type EndedAttemptPlace } from '../persistence/prune-deliveries.js';

const LOOK_EVERY_MS = 60_000;

/** One process prunes at a time: a second would look at the same attempts, and pass over what the first has locked. */
@Injectable()
export class DeliveryPruning implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: LeasedLoop;

  constructor(prune: PruneDeliveries, leases: Leases) {
    let place: EndedAttemptPlace | undefined;
    const options = { name: 'pruning of deliveries', idleMs: LOOK_EVERY_MS };
    this.loop = new LeasedLoop(options, leases, async () => {
      place = await prune.execute(place);
      return place !== undefined;
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
