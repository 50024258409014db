import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { WatchingStates } from '#contexts/chain-watching/contract/watching-states.js';
import { Database } from '#shared/platform/database/database.js';
import { judgeReadiness, type ReadinessAnswer } from './judge-readiness.js';

/**
 * SIGTERM begins a drain: first the process says that it is not ready, then it stops taking requests and ends its work.
 */
export class Drain implements OnModuleDestroy {
  private begun = false;

  /** @param waitMs how long requests are still taken, so that those who send them can see it */
  constructor(private readonly waitMs: number) {}

  get isDraining(): boolean {
    return this.begun;
  }

  /** Runs before anything is stopped or closed. */
  async onModuleDestroy(): Promise<void> {
    this.begun = true;
    if (this.waitMs > 0) await new Promise((resolve) => setTimeout(resolve, this.waitMs));
  }
}

/** A partition lasts a month, so that it is asked for once a minute. */
const PARTITIONS_KEPT_MS = 60_000;

/** Anybody may ask, and however many do, the database is asked twice a second at most. */
const KEPT_MS = 500;

/** A ready process can take payment requests now. */
@Injectable()
export class Readiness {
  private partitions = { isAhead: true, askedAt: -Infinity };

  constructor(
    private readonly database: Database,
    private readonly drain: Drain,
    private readonly states: WatchingStates,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /** @param maxAgeMs how old what is known of the database may be */
  async check(maxAgeMs = KEPT_MS): Promise<ReadinessAnswer> {
    const watching = await this.states.now(maxAgeMs).catch(() => null);
    const hasPartitionAhead = watching === null || (await this.hasPartitionAhead());
    const networks = this.catalogue
      .networks()
      .map(({ network }) => ({ network, isProven: this.catalogue.takesRequests(network) }));
    // Asked last: the process may have begun to stop meanwhile.
    const { stopped } = this.database.identity;
    const { isDraining } = this.drain;
    return judgeReadiness({ isDraining, stopped, hasPartitionAhead, watching, networks });
  }

  /** A database that does not answer is no problem of partitions. */
  private async hasPartitionAhead(): Promise<boolean> {
    if (performance.now() - this.partitions.askedAt >= PARTITIONS_KEPT_MS) {
      this.partitions = { ...this.partitions, askedAt: performance.now() };
      const ahead = await this.database
        .query(
          `SELECT FROM platform.event_partitions WHERE from_transaction > pg_snapshot_xmax(pg_current_snapshot())`,
        )
        .catch(() => null);
      if (ahead !== null) this.partitions.isAhead = ahead.length > 0;
    }
    return this.partitions.isAhead;
  }
}
