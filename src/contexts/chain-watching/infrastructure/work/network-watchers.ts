import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { FollowChain } from '../../application/follow-chain.js';
import { watcherLeaseName, CursorMoved } from '../../domain/cursor.js';

export class ChainWatchingSettings {
  /** @param isFixed true if endpoints are called in every iteration, regardless of the time between blocks */
  constructor(
    readonly intervalMs: number,
    readonly isFixed = true,
  ) {}
}

/** A network is watched by one process at a time, the holder of its lease. */
@Injectable()
export class NetworkWatchers extends BackgroundWork {
  constructor(
    catalogue: NetworkCatalogue,
    leases: Leases,
    private readonly followChain: FollowChain,
    settings: ChainWatchingSettings,
  ) {
    super(
      catalogue.networks().map(({ network }) => {
        const options = {
          name: `watcher ${network}`,
          lease: watcherLeaseName(network),
          idleMs: settings.intervalMs,
          whileHeldElsewhere: () => followChain.forgetNetwork(network),
        };
        return new LeasedLoop(options, leases, (epoch) => this.follow(network, epoch));
      }),
    );
  }

  private async follow(network: string, epoch: bigint): Promise<boolean> {
    try {
      return await this.followChain.follow(network, epoch);
    } catch (error) {
      if (!(error instanceof CursorMoved)) throw error;
      return false;
    }
  }
}
