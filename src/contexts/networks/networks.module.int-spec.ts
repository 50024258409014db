import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestChain, startTestChain } from '#test/support/chain.js';
import { type TestPlatform, openTestDatabase } from '#test/support/open-database.js';
import { SettingsModule } from '#app/settings/settings.module.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { configureHttp } from '#shared/platform/http/server/http-application.js';
import { HttpAdapter } from '#shared/platform/http/server/http-server.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { PlatformModule } from '#shared/platform/platform.module.js';
import { ChainReader } from './contract/chain-reader.js';
import { NetworkCatalogue } from './contract/network-catalogue.js';
import { SAMPLE_TOKEN, settingsFor } from './testing/sample-configuration.js';
import { NetworkChecksModule } from './networks.module.js';

let chain: TestChain;
let platform: TestPlatform;
let app: NestExpressApplication;
let url: string;

beforeAll(async () => {
  Logger.overrideLogger(false);
  chain = await startTestChain();
  platform = await openTestDatabase();
  // Of its own: the application closes it at its end.
  const dataSource = createDataSource({
    databaseUrl: platform.url,
    poolSize: 2,
    applicationName: 'test',
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  const module = await Test.createTestingModule({
    imports: [
      SettingsModule.forRoot([new HttpSettings(), settingsFor(chain.url)]),
      PlatformModule.forRoot(dataSource),
      NetworkChecksModule,
    ],
  }).compile();
  app = module.createNestApplication<NestExpressApplication>(new HttpAdapter(), {
    bodyParser: false,
    logger: false,
  });
  configureHttp(app, { logger: new JsonLogger({ level: 'silent' }) });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(async () => {
  await app.close();
  await platform.close();
  await chain.stop();
});

describe('The assets that callers see', () => {
  it('are listed with what their network demands, as pages', async () => {
    const answer = await fetch(`${url}/v1/assets?page_size=10`);

    expect(await answer.json()).toEqual({
      status: 'success',
      data: {
        data: [
          {
            unique_asset_id: `nsandbox_t${SAMPLE_TOKEN}`,
            symbol: 'USDT',
            name: 'Test Dollar',
            decimals: 6,
            network: 'sandbox',
            network_name: 'Sandbox',
            minimum_amount: '0.01',
            required_confirmations: 3,
          },
        ],
        total: 1,
        page: 1,
        page_size: 10,
        total_pages: 1,
      },
    });
  });

  it.each(['?page=0', '?page_size=101', '?symbol=USDT'])('are not listed for %s', async (query) => {
    expect((await fetch(`${url}/v1/assets${query}`)).status).toBe(400);
  });
});

describe('A process that starts on a chain without factory and token', () => {
  it('runs, reads the chain and takes no requests', async () => {
    const head = await app.get(ChainReader).head('sandbox');

    expect(head.head.number).toBe(0);
    expect(app.get(NetworkCatalogue).takesRequests('sandbox')).toBe(false);
  });
});
