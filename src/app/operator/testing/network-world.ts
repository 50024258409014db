import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type TestPlatform, openTestDatabase } from '#test/support/open-database.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { NetworkReadProgressQuery } from '#contexts/chain-watching/contract/reading-progress.js';
import { ChainAuditResults } from '#contexts/payments/contract/chain-audit-results.js';
import { NetworkRemovalBlockersQuery } from '#contexts/payments/contract/network-removal-blockers.js';
import { PostgresNetworkRemovalBlockers } from '#contexts/payments/infrastructure/evaluation/postgres-settlement-holds.js';
import { SponsoringStatisticsQuery } from '#contexts/payments/infrastructure/authorizations/persistence/sponsoring-statistics.js';
import { PostgresChainAuditResults } from '#contexts/payments/infrastructure/audit/persistence/chain-audits.js';
import { PostgresNetworkReadProgressQuery } from '#contexts/chain-watching/infrastructure/persistence/postgres-watching-states.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { PlatformModule } from '#shared/platform/platform.module.js';
import { SettingsModule } from '../../settings/settings.module.js';
import { runCommand, type CommandOutput } from './run-command.js';

/** Runs the operator's network commands on one network with given endpoints and a separate database. */
export class NetworkWorld {
  private constructor(
    readonly platform: TestPlatform,
    private readonly app: INestApplicationContext,
  ) {}

  static async open(urls: readonly string[], changes: object = {}): Promise<NetworkWorld> {
    const platform = await openTestDatabase();
    const dataSource = await createDataSource({
      databaseUrl: platform.url,
      poolSize: 3,
      applicationName: 'operator',
      onPoolError: () => undefined,
    }).initialize();

    @Module({
      imports: [
        SettingsModule.forRoot([new HttpSettings(), settingsFor(urls, changes, 2_000)]),
        PlatformModule.forRoot(dataSource),
        NetworksModule,
      ],
      providers: [
        { provide: NetworkReadProgressQuery, useClass: PostgresNetworkReadProgressQuery },
        { provide: NetworkRemovalBlockersQuery, useClass: PostgresNetworkRemovalBlockers },
        SponsoringStatisticsQuery,
        { provide: ChainAuditResults, useClass: PostgresChainAuditResults },
        RefundFloats,
      ],
    })
    class TestModule {}

    const logger = new JsonLogger({ level: 'silent' });
    return new NetworkWorld(platform, await NestFactory.createApplicationContext(TestModule, { logger }));
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.platform.close();
  }

  run(...words: string[]): Promise<CommandOutput> {
    return runCommand(this.app, words);
  }

  async runJson<T>(...words: string[]): Promise<{ status: number; data: T }> {
    const { status, out, err } = await this.run(...words, '--json');
    if (out === '') throw new Error(err);
    return { status, data: JSON.parse(out) as T };
  }
}
