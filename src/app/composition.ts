import { Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AnalyticsModule, AnalyticsWorkerModule } from '#contexts/analytics/analytics.module.js';
import { IdentityModule } from '#contexts/identity/identity.module.js';
import { PeopleModule, PeopleWorkerModule } from '#contexts/identity/people.module.js';
import { LedgerModule, LedgerWorkerModule, LedgerPagesModule } from '#contexts/ledger/ledger.module.js';
import {
  NetworkReadinessChecksModule,
  NetworksModule,
  OutboundModule,
} from '#contexts/networks/networks.module.js';
import {
  NotificationsModule,
  NotificationsWorkerModule,
} from '#contexts/notifications/notifications.module.js';
import { PaymentsModule, PaymentsWorkerModule } from '#contexts/payments/payments.module.js';
import { RefundsModule, RefundsWorkerModule } from '#contexts/settlement/refunds.module.js';
import { SettlingModule, SettlingWorkerModule } from '#contexts/settlement/settling.module.js';
import {
  SubscriptionsModule,
  SubscriptionsWorkerModule,
} from '#contexts/subscriptions/subscriptions.module.js';
import { PointOfSaleModule, PointOfSaleWorkerModule } from '#contexts/point-of-sale/point-of-sale.module.js';
import { TillModule } from '#contexts/till/till.module.js';
import { WebhooksModule, WebhooksWorkerModule } from '#contexts/webhooks/webhooks.module.js';
import { DashboardStylesheetModule } from '#dashboard/dashboard-stylesheet.module.js';
import { DashboardModule } from '#dashboard/dashboard.module.js';
import { StyleguideModule } from '#dashboard/styleguide.module.js';
import { DataSource } from 'typeorm';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { CommitLossDetector } from '#shared/platform/database/commit-loss-detector.js';
import { SANDBOX_CLUSTER_NAME } from '#shared/platform/clock/sandbox-cluster.js';
import type { JsonLogger } from '#shared/platform/logging/logger.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { PlatformModule, PlatformWorkerModule } from '#shared/platform/platform.module.js';
import { explainExcessPrivileges } from './grant-service-role.js';
import { BetweenContextsModule } from './between-contexts/between-contexts.module.js';
import { Drain, Readiness } from './health/readiness.js';
import { HealthController } from './health/health.controller.js';
import { ProcessMetrics, ReadinessMetrics } from './health/process-metrics.js';
import { RootController } from './root.controller.js';
import { InvalidSettings } from '#shared/platform/setting-reader.js';
import { SigningKeyMetrics } from './signing-keys/signing-key-metrics.js';
import { SigningKeysReloader } from './signing-keys/signing-keys-reloader.js';
import { SettingsModule } from './settings/settings.module.js';
import type { ReplicaPoolSettings } from '#shared/platform/replica/replica-pool.js';
import type { ProcessSettings } from './settings/process-settings.js';
import type { Settings } from './settings/settings.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '#shared/platform/logging/platform-log-events.js';

export type ProcessRole = 'api' | 'worker' | 'operator';

const CONTEXT_MODULES: Type[] = [
  NetworksModule,
  IdentityModule,
  PeopleModule,
  PointOfSaleModule,
  PaymentsModule,
  TillModule,
  SettlingModule,
  RefundsModule,
  SubscriptionsModule,
  LedgerModule,
  LedgerPagesModule,
  AnalyticsModule,
  WebhooksModule,
  NotificationsModule,
  DashboardModule,
];
const WORKER_MODULES: (Type | DynamicModule)[] = [
  ScheduleModule.forRoot(),
  OutboundModule,
  PeopleWorkerModule,
  PointOfSaleWorkerModule,
  PaymentsWorkerModule,
  SettlingWorkerModule,
  RefundsWorkerModule,
  SubscriptionsWorkerModule,
  LedgerWorkerModule,
  AnalyticsWorkerModule,
  WebhooksWorkerModule,
  NotificationsWorkerModule,
  PlatformWorkerModule,
];

@Module({})
class ServiceModule {}

/**
 * Connects to the database. @throws if the database is unreachable, or is a sandbox's database outside development
 */
export async function connectToDatabase(
  role: ProcessRole,
  settings: Settings,
  logger: JsonLogger,
): Promise<DataSource> {
  const log = new OperatorLogWriter('database', PLATFORM_LOG_EVENTS, logger);
  const dataSource = createDataSource({
    databaseUrl: settings.process.databaseUrl,
    poolSize: settings.process.databasePoolSize,
    pooler: settings.process.databasePooler,
    applicationName: role,
    ...(role === 'operator' ? { timeouts: 'none' as const } : {}),
    onPoolError: (error) => log.write('database.connection_lost', { reason: String(error) }),
  });
  await dataSource.initialize();
  if (settings.process.environment === 'development') return dataSource;
  await refuseSandboxDatabase(dataSource);
  if (role !== 'operator') {
    const warning = await explainExcessPrivileges(dataSource);
    if (warning !== null) log.write('database.role_owns_tables', { reason: warning });
  }
  return dataSource;
}

/** A sandbox's database may lose writes in a crash, and its clock may have been moved. */
async function refuseSandboxDatabase(dataSource: DataSource): Promise<void> {
  const [{ cluster_name: cluster }] = await dataSource.query('SHOW cluster_name');
  const [{ moved }] = await dataSource.query(
    `SELECT value <> interval '0' AS moved FROM platform.clock_offset`,
  );
  if (cluster !== SANDBOX_CLUSTER_NAME && !moved) return;
  await dataSource.destroy();
  throw new InvalidSettings([
    moved
      ? 'DATABASE_URL names a database whose clock was moved (platform.clock_offset). Only a sandbox may use such a database.'
      : 'DATABASE_URL names the embedded database of a sandbox; staging and production require a separate PostgreSQL server.',
  ]);
}

function signingKeyWatchModules({ signingKeys }: Settings): Provider[] {
  return [
    { provide: SigningKeysReloader, useFactory: () => new SigningKeysReloader(signingKeys) },
    {
      provide: SigningKeyMetrics,
      inject: [Metrics, SigningKeysReloader],
      useFactory: (metrics: Metrics, watch: SigningKeysReloader) =>
        new SigningKeyMetrics(metrics, signingKeys, watch),
    },
  ];
}

/** Other processes read from the primary, because they act on the data that they read. */
function replicaSettingsOf(process: ProcessSettings): ReplicaPoolSettings | undefined {
  const { databaseReplica, databasePoolSize, databasePooler } = process;
  if (databaseReplica === undefined) return undefined;
  const log = new OperatorLogWriter('replica', PLATFORM_LOG_EVENTS);
  return {
    ...databaseReplica,
    poolSize: databasePoolSize,
    pooler: databasePooler,
    applicationName: 'api',
    onPoolError: (error) => log.write('replica.connection_lost', { reason: String(error) }),
  };
}

/** Not for operator commands, some of which must run while writes are stopped. */
function databaseWatchModules(role: ProcessRole, { process: { stateDirectory } }: Settings): Provider[] {
  if (role === 'operator') return [];
  return [
    {
      provide: CommitLossDetector,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new CommitLossDetector(dataSource, { role, stateDirectory }),
    },
  ];
}

export function composeService(role: ProcessRole, settings: Settings, dataSource: DataSource): DynamicModule {
  return {
    module: ServiceModule,
    imports: [
      SettingsModule.forRoot(settings.contexts),
      PlatformModule.forRoot(dataSource, {
        cell: settings.process.cell,
        replica: role === 'api' ? replicaSettingsOf(settings.process) : undefined,
      }),
      BetweenContextsModule,
      ...CONTEXT_MODULES,
      DashboardStylesheetModule,
      ...(settings.process.environment === 'development' ? [StyleguideModule] : []),
      ...(role === 'operator' ? [] : [NetworkReadinessChecksModule]),
      ...(role === 'worker' ? WORKER_MODULES : []),
    ],
    controllers: [HealthController, RootController],
    providers: [
      // The API waits, so that load balancers notice the drain. Workers have no clients.
      {
        provide: Drain,
        useFactory: () => new Drain(role === 'api' ? settings.process.drainSeconds * 1_000 : 0),
      },
      Readiness,
      ...(role === 'api' ? [ReadinessMetrics] : []),
      ...(role === 'operator' ? [] : signingKeyWatchModules(settings)),
      ...databaseWatchModules(role, settings),
      {
        provide: ProcessMetrics,
        inject: [Metrics],
        useFactory: (metrics: Metrics) => new ProcessMetrics(metrics, role),
      },
    ],
  };
}
