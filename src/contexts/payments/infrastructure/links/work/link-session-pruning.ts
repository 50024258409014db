import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { newId } from '../../../../../shared/kernel/ids.js';
import { BackgroundLoop } from '../../../../../shared/platform/background/background-loop.js';
import { Leases } from '../../../../../shared/platform/leases/leases.js';
import { PruneLinkSessions } from '../../../application/links/prune-link-sessions.js';

const LEASE = 'pruning of link sessions';
const LOOK_EVERY_MS = 10_000;

/** One process at a time: a second would only wait for the rows of the first. */
@Injectable()
export class LinkSessionPruning implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly holder = newId();
  private readonly loop: BackgroundLoop;

  constructor(
    private readonly prune: PruneLinkSessions,
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
    return this.leases.keepDuring(LEASE, this.holder, () => this.prune.execute());
  }
}
