import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { LeaseLost, Leases } from '#shared/platform/leases/leases.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { FollowChain } from '#contexts/payments/application/watching/follow-chain.js';
import { watcherLease, CursorMoved } from '#contexts/payments/domain/watching/watched-chain.js';
import { PaymentsSettings } from '#contexts/payments/application/requests/payments-settings.js';

/** Reads every network of the catalogue, each by one process at a time: the holder of its lease. */
@Injectable()
export class NetworkWatchers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly holder = newId();
  private loops: BackgroundLoop[] = [];

  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly leases: Leases,
    private readonly followChain: FollowChain,
    private readonly settings: PaymentsSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.loops = this.catalogue.networks().map(({ network }) => {
      const options = { name: `watcher ${network}`, idleMs: this.settings.watchIntervalMs };
      return new BackgroundLoop(options, () => this.turn(network));
    });
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
    const names = this.catalogue.networks().map(({ network }) => watcherLease(network));
    await Promise.allSettled(names.map((name) => this.leases.release(name, this.holder)));
  }

  private async turn(network: string): Promise<boolean> {
    const lease = watcherLease(network);
    // A suspended process may wake up after its lease has passed on: writes are fenced by the epoch.
    const epoch = await this.leases.acquire(lease, this.holder);
    if (epoch === null) {
      this.followChain.leave(network);
      return false;
    }
    try {
      return await this.leases.keepDuring(lease, this.holder, () => this.followChain.execute(network, epoch));
    } catch (error) {
      if (!(error instanceof LeaseLost || error instanceof CursorMoved)) throw error;
      return false;
    }
  }
}
