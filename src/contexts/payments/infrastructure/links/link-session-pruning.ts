import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { PruneLinkSessions } from '../../application/links/prune-link-sessions.js';

const LOOK_EVERY_MS = 10_000;

/** One process at a time: a second would only wait for the rows of the first. */
@Injectable()
export class LinkSessionPruning implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: LeasedLoop;

  constructor(prune: PruneLinkSessions, leases: Leases) {
    const options = { name: 'pruning of link sessions', idleMs: LOOK_EVERY_MS };
    this.loop = new LeasedLoop(options, leases, () => prune.execute());
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }
}
