import { type DynamicModule, Global, Module, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Cell } from '#shared/kernel/cell.js';
import { Clock } from '../kernel/clock.js';
import { KeyedCreations } from '../kernel/keyed-creation.js';
import { UnitOfWork } from '../kernel/unit-of-work.js';
import { DatabaseClock } from './clock/database-clock.js';
import { poolOf } from './database/data-source.js';
import { Database, ReplicaReads } from './database/database.js';
import { DueWork } from './due-work/due-work.js';
import { EventLog } from './event-log/event-log.js';
import { EventSubscribers } from './event-log/event-subscribers.js';
import { IdempotencyKeys, PruneIdempotencyKeys } from './idempotency/idempotency-keys.js';
import { IdempotentAnswers } from './http/idempotency/idempotent-answers.js';
import { CallerAddress } from './http/callers/caller-address.js';
import { RateLimits } from '../kernel/rate-limits.js';
import { CallerLimits } from './http/callers/caller-limits.js';
import { OpenDownloads } from './http/answers/open-downloads.js';
import { PublicCallers } from './http/callers/public-callers.js';
import { PublicRoutesGuard } from './http/callers/public-routes.guard.js';
import { CallerRates } from './http/callers/caller-rates.js';
import { Leases } from './leases/leases.js';
import { BackgroundMetrics, DueWorkMetrics } from './metrics/work-metrics.js';
import { DatabaseScrape } from './metrics/database-scrape.js';
import { EventLogMetrics } from './metrics/event-log-metrics.js';
import { HttpMetrics } from './http/server/http-metrics.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsListener } from './metrics/metrics-listener.js';
import { platformInvariants } from './invariants/platform-invariants.js';
import { sealInvariants } from './seals/seal-invariants.js';
import { SealEvents, Seals } from './seals/seals.js';
import { Replica } from './replica/replica.js';
import { createReplicaPool, type ReplicaPoolSettings } from './replica/replica-pool.js';
import { tracing } from './tracing/tracing.js';
import { Invariants } from './invariants/registered-invariants.js';

function replicaOf(dataSource: DataSource, settings: ReplicaPoolSettings) {
  return {
    provide: Replica,
    inject: [Metrics],
    useFactory: (metrics: Metrics) =>
      new Replica(metrics, createReplicaPool(settings), poolOf(dataSource), settings.maxAgeSeconds),
  };
}

@Global()
@Invariants([...platformInvariants, ...sealInvariants])
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    @Optional() readonly replica?: Replica,
  ) {}

  /** @param dataSource initialized by the caller, closed with the application */
  static forRoot(
    dataSource: DataSource,
    { cell = new Cell(), replica }: { cell?: Cell; replica?: ReplicaPoolSettings | undefined } = {},
  ): DynamicModule {
    const providers = [
      { provide: DataSource, useValue: dataSource },
      { provide: Cell, useValue: cell },
      ...(replica === undefined
        ? []
        : [replicaOf(dataSource, replica), { provide: ReplicaReads, useExisting: Replica }]),
      Database,
      { provide: UnitOfWork, useExisting: Database },
      { provide: Clock, useClass: DatabaseClock },
      EventLog,
      EventSubscribers,
      DueWork,
      Leases,
      Seals,
      IdempotencyKeys,
      { provide: KeyedCreations, useExisting: IdempotencyKeys },
      IdempotentAnswers,
      CallerAddress,
      { provide: CallerLimits, useFactory: () => new CallerLimits() },
      { provide: CallerRates, useFactory: () => new CallerRates() },
      PublicCallers,
      OpenDownloads,
      { provide: RateLimits, useExisting: CallerLimits },
      Metrics,
      DatabaseScrape,
      MetricsListener,
      HttpMetrics,
      EventLogMetrics,
      DueWorkMetrics,
      BackgroundMetrics,
    ];
    const exports = providers.map((each) => ('provide' in each ? each.provide : each));
    const guard = { provide: APP_GUARD, useClass: PublicRoutesGuard };
    return { module: PlatformModule, providers: [...providers, guard], exports };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dataSource.destroy();
    await tracing()?.stop();
  }
}

@Module({ providers: [PruneIdempotencyKeys, SealEvents] })
export class PlatformWorkerModule {}
