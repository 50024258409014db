import { type DynamicModule, Global, Module, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { Clock } from '../kernel/clock.js';
import { IdempotentCreations } from '../kernel/idempotent-creation.js';
import { UnitOfWork } from '../kernel/unit-of-work.js';
import { DatabaseClock } from './clock/database-clock.js';
import { connectionPoolOf } from './database/data-source.js';
import { Database, ReplicaReads } from './database/database.js';
import { ScheduledJobs } from './due-work/scheduled-jobs.js';
import { EventLog } from './event-log/event-log.js';
import { EventSubscribers } from './event-log/event-subscribers.js';
import { IdempotencyKeys, PruneIdempotencyKeys } from './idempotency/idempotency-keys.js';
import { IdempotentAnswers } from './http/idempotency/idempotent-answers.js';
import { CallerAddressResolver } from './http/callers/caller-address-resolver.js';
import { RateLimits } from '../kernel/rate-limits.js';
import { WindowRateLimits } from './http/callers/window-rate-limits.js';
import { ConcurrentDownloads } from './http/answers/concurrent-downloads.js';
import { PublicRateLimiter } from './http/callers/public-rate-limiter.js';
import { PublicRoutesGuard } from './http/callers/public-routes.guard.js';
import { CallerRateLimits } from './http/callers/caller-rate-limits.js';
import { Leases } from './leases/leases.js';
import { BackgroundMetrics, ScheduledJobMetrics } from './metrics/work-metrics.js';
import { DatabaseMetricsCollector } from './metrics/database-metrics-collector.js';
import { EventLogMetrics } from './metrics/event-log-metrics.js';
import { HttpMetrics } from './http/server/http-metrics.js';
import { Metrics } from './metrics/metrics.js';
import { MetricsListener } from './metrics/metrics-listener.js';
import { platformInvariants } from './invariants/platform-invariants.js';
import { hashChainInvariants } from './seals/hash-chain-invariants.js';
import { ExtendEventHashChain, EventHashChain } from './seals/event-hash-chain.js';
import { Replica } from './replica/replica.js';
import { createReplicaPool, type ReplicaPoolSettings } from './replica/replica-pool.js';
import { tracing } from './tracing/tracing.js';
import { RegisterInvariants } from './invariants/registered-invariants.js';

function replicaOf(dataSource: DataSource, settings: ReplicaPoolSettings) {
  return {
    provide: Replica,
    inject: [Metrics],
    useFactory: (metrics: Metrics) =>
      new Replica(metrics, createReplicaPool(settings), connectionPoolOf(dataSource), settings.maxAgeSeconds),
  };
}

@Global()
@RegisterInvariants([...platformInvariants, ...hashChainInvariants])
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    @Optional() readonly replica?: Replica,
  ) {}

  /** @param dataSource initialized by the caller, closed with the application */
  static forRoot(
    dataSource: DataSource,
    {
      cell = new DeploymentCell(),
      replica,
    }: { cell?: DeploymentCell; replica?: ReplicaPoolSettings | undefined } = {},
  ): DynamicModule {
    const providers = [
      { provide: DataSource, useValue: dataSource },
      { provide: DeploymentCell, useValue: cell },
      ...(replica === undefined
        ? []
        : [replicaOf(dataSource, replica), { provide: ReplicaReads, useExisting: Replica }]),
      Database,
      { provide: UnitOfWork, useExisting: Database },
      { provide: Clock, useClass: DatabaseClock },
      EventLog,
      EventSubscribers,
      ScheduledJobs,
      Leases,
      EventHashChain,
      IdempotencyKeys,
      { provide: IdempotentCreations, useExisting: IdempotencyKeys },
      IdempotentAnswers,
      CallerAddressResolver,
      { provide: WindowRateLimits, useFactory: () => new WindowRateLimits() },
      { provide: CallerRateLimits, useFactory: () => new CallerRateLimits() },
      PublicRateLimiter,
      ConcurrentDownloads,
      { provide: RateLimits, useExisting: WindowRateLimits },
      Metrics,
      DatabaseMetricsCollector,
      MetricsListener,
      HttpMetrics,
      EventLogMetrics,
      ScheduledJobMetrics,
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

@Module({ providers: [PruneIdempotencyKeys, ExtendEventHashChain] })
export class PlatformWorkerModule {}
