import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { WatchingStates } from '#contexts/chain-watching/contract/watching-states.js';
import { Database } from '#shared/platform/database/database.js';
import { evaluateReadiness, type ReadinessAnswer } from './evaluate-readiness.js';

/** Waits after SIGTERM before requests and background work are stopped. */
export class Drain implements OnModuleDestroy {
  private begun = false;

  constructor(private readonly waitMs: number) {}

  get isDraining(): boolean {
    return this.begun;
  }

  async onModuleDestroy(): Promise<void> {
    this.begun = true;
    if (this.waitMs > 0) await new Promise((resolve) => setTimeout(resolve, this.waitMs));
  }
}

/** A partition lasts about a month. */
const PARTITION_CHECK_INTERVAL_MS = 60_000;

/** Limits the public readiness endpoint to two database queries per second. */
const MAX_CACHE_AGE_MS = 500;

@Injectable()
export class Readiness {
  private partitions = { isAhead: true, askedAt: -Infinity };

  constructor(
    private readonly database: Database,
    private readonly drain: Drain,
    private readonly states: WatchingStates,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  async check(maxAgeMs = MAX_CACHE_AGE_MS): Promise<ReadinessAnswer> {
    const watching = await this.states.currentState(maxAgeMs).catch(() => null);
    const hasPartitionAhead = watching === null || (await this.hasPartitionAhead());
    const networks = this.catalogue
      .networks()
      .map(({ network }) => ({ network, isProven: this.catalogue.acceptsPaymentRequests(network) }));
    // Read after the queries, because the process may have begun to drain during them.
    const { stopReason } = this.database.identity;
    const { isDraining } = this.drain;
    return evaluateReadiness({ isDraining, stopped: stopReason, hasPartitionAhead, watching, networks });
  }

  /** Returns the last known result if the database does not respond. */
  private async hasPartitionAhead(): Promise<boolean> {
    if (performance.now() - this.partitions.askedAt >= PARTITION_CHECK_INTERVAL_MS) {
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
