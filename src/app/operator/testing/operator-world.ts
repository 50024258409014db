import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { IdentityModule } from '#contexts/identity/identity.module.js';
import { IdentitySettings } from '#contexts/identity/infrastructure/identity-settings.js';
import { parseNetworksConfiguration } from '#contexts/networks/infrastructure/configuration/parse-networks-configuration.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { CodeUrls } from '#contexts/point-of-sale/application/code-urls.js';
import { PointOfSaleModule } from '#contexts/point-of-sale/point-of-sale.module.js';
import { fixedKeys } from '#shared/kernel/testing/fixed-keys.js';
import type { Database } from '#shared/platform/database/database.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { configureHttp } from '#shared/platform/http/server/http-application.js';
import { HttpAdapter } from '#shared/platform/http/server/http-server.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { PlatformModule } from '#shared/platform/platform.module.js';
import type { KeyOfRing } from '#shared/platform/settings/setting-reader.js';
import { BetweenContextsModule } from '../../between-contexts/between-contexts.module.js';
import { SettingsModule } from '../../settings/settings.module.js';
import { composeService } from '../../composition.js';
import { shapeSettings } from '../../settings/shape-settings.js';
import type { Command } from '../command.js';
import { runCommand, type CommandOutput } from './run-command.js';

export const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const NETWORKS = [
  {
    network: 'sandbox',
    name: 'Sandbox',
    chain_id: 31337,
    rpc_urls: ['http://127.0.0.1:9'],
    finality: { confirmations: 3 },
    assets: [{ token: TOKEN, symbol: 'USDC', name: 'USD Coin', decimals: 6, minimum_amount: '0.01' }],
  },
];

/** The operator's commands and the API they prepare, on a database of their own; no node answers. */
export class OperatorWorld {
  private constructor(
    private readonly platform: TestPlatform,
    private readonly app: NestExpressApplication,
    private readonly url: string,
  ) {}

  static async open(): Promise<OperatorWorld> {
    const platform = await openTestDatabase();
    const dataSource = await createDataSource({
      databaseUrl: platform.url,
      poolSize: 5,
      applicationName: 'api',
      onPoolError: () => undefined,
    }).initialize();
    const keys = [{ id: 'a', secret: randomBytes(32) }];
    const patience = { callTimeoutMs: 100, retryAfterMs: [] };

    @Module({
      imports: [
        SettingsModule.forRoot([
          new HttpSettings(),
          new IdentitySettings('development', fixedKeys<KeyOfRing>(...keys), 'test', 'test/development', {
            exchangesPerMinute: 1_000_000,
            failuresPerMinute: 1_000_000,
            requestsPerSecond: 1_000_000,
            deviceCreationsPerMinute: 1_000_000,
          }),
          new NetworksSettings(parseNetworksConfiguration(NETWORKS), patience),
          new CodeUrls('https://pay.example'),
        ]),
        PlatformModule.forRoot(dataSource),
        BetweenContextsModule,
        IdentityModule,
        PointOfSaleModule,
      ],
    })
    class TestModule {}

    const logger = new JsonLogger({ level: 'silent' });
    const app = await NestFactory.create<NestExpressApplication>(TestModule, new HttpAdapter(), {
      logger,
      bodyParser: false,
    });
    configureHttp(app, { logger });
    await app.listen(0, '127.0.0.1');
    return new OperatorWorld(platform, app, await app.getUrl());
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.platform.close();
  }

  /** A command on the application of this world, which stays open after it. */
  run(...words: string[]): Promise<CommandOutput> {
    return runCommand(this.app, words);
  }

  get database(): Database {
    return this.platform.database;
  }

  /** A command with somebody at the terminal. */
  runAsking(ask: (question: string) => Promise<string>, ...words: string[]): Promise<CommandOutput> {
    return runCommand(this.app, words, { ask });
  }

  /** A command that the service has not. */
  runOne(command: Command, ...words: string[]): Promise<CommandOutput> {
    return runCommand(this.app, words, { commands: [command] });
  }

  /** Runs commands of the whole service on connections to this database that can write nothing. */
  async readingOnly<Result>(
    work: (run: (...words: string[]) => Promise<CommandOutput>) => Promise<Result>,
  ): Promise<Result> {
    const folder = mkdtempSync(join(tmpdir(), 'operator-world-'));
    const networksFile = join(folder, 'networks.json');
    writeFileSync(networksFile, JSON.stringify(NETWORKS));
    const settings = shapeSettings({ NETWORKS_FILE: networksFile });
    rmSync(folder, { recursive: true });
    const url = new URL(this.platform.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    url.searchParams.set('target_session_attrs', 'any');
    const dataSource = await createDataSource({
      databaseUrl: url.href,
      poolSize: 2,
      applicationName: 'operator',
      onPoolError: () => undefined,
    }).initialize();
    const logger = new JsonLogger({ level: 'silent' });
    const service = composeService('operator', settings, dataSource);
    const app = await NestFactory.createApplicationContext(service, { logger, abortOnError: false });
    try {
      return await work((...words) => runCommand(app, words));
    } finally {
      await app.close();
    }
  }

  /** The answer that programs get of a command that works. */
  async runJson(...words: string[]): Promise<Record<string, string>> {
    const { status, out, err } = await this.run(...words, '--json');
    if (status !== 0) throw new Error(`${words.join(' ')}: ${err}`);
    return JSON.parse(out) as Record<string, string>;
  }

  async call(path: string, init: RequestInit = {}) {
    const answer = await fetch(this.url + path, init);
    const body = (await answer.json()) as { code?: string; data?: Record<string, unknown> };
    return { status: answer.status, code: body.code, data: body.data ?? {} };
  }

  /** @param credential as `credential create` answered it */
  async headersOf(credential: Record<string, string>): Promise<Record<string, string>> {
    const { api_key = '', api_secret } = credential;
    const { data } = await this.call('/v1/auth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key, api_secret }),
    });
    return { authorization: `Bearer ${String(data['token'])}`, 'x-service-api-key': api_key };
  }
}
