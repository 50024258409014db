import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { newId } from '../../../../../shared/kernel/ids.js';
import { BackgroundLoop } from '../../../../../shared/platform/background/background-loop.js';
import { Leases } from '../../../../../shared/platform/leases/leases.js';
import { PruneDeliveries } from '../../../application/delivery/prune-deliveries.js';
import type { EndedAttemptPlace } from '../../../domain/delivery/ended-deliveries.js';

const LEASE = 'pruning of deliveries';
const LOOK_EVERY_MS = 60_000;

/** One process at a time: a second would look at the same attempts, and pass over what the first has locked. */
@Injectable()
export class DeliveryPruning implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly holder = newId();
  private readonly loop: BackgroundLoop;
  private place: EndedAttemptPlace | undefined;

  constructor(
    private readonly prune: PruneDeliveries,
    private readonly leases: Leases,
  ) {
    this.loop = new BackgroundLoop({ name: LEASE, idleMs: LOOK_EVERY_MS }, () => this.turn());
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.leases.release(LEASE, this.holder).catch(() => undefined);
  }

  private async turn(): Promise<boolean> {
    if ((await this.leases.acquire(LEASE, this.holder)) === null) return false;
    this.place = await this.leases.keepDuring(LEASE, this.holder, () => this.prune.execute(this.place));
    return this.place !== undefined;
  }
}
