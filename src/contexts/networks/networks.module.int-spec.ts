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
import { Chains } from './contract/chains.js';
import { NetworkCatalogue } from './contract/network-catalogue.js';
import { parseNetworksConfiguration } from './infrastructure/configuration/parse-networks-configuration.js';
import { NetworksSettings } from './infrastructure/networks-settings.js';
import { BitcoinChain } from '#chains/bitcoin/testing/bitcoin-chain.js';
import { BitcoinNode } from '#chains/bitcoin/testing/bitcoin-node.js';
import { sampleBitcoin } from '#chains/bitcoin/testing/sample-bitcoin.js';
import { SAMPLE_TOKEN, settingsFor } from './testing/sample-configuration.js';
import { NetworkReadinessChecksModule } from './networks.module.js';

/** Descriptor of a wallet's account, and its first address. */
const WALLET =
  'wpkh([73c5da0a/84h/1h]tpubDB5GSFrKWykZsJgwdd9ViGUECU8AQvTxig4iZonrS5BJ2k9V4ucfHifnXTNfRExUaDsLvZedPfbEN2iphbq11CMDe4WJQAvQRqXaGJuwhwk/3/2147483647/0/*)#xx8kyfqw';
const FIRST_ADDRESS = 'bcrt1qqn3fw523uuqlh8mjj0nqpyphsyysz7l67gr49w';

const bitcoin = BitcoinChain.begun(Date.now());
const node = new BitcoinNode(bitcoin, 'btcd');
let chain: TestChain;
let platform: TestPlatform;
let app: NestExpressApplication;
let url: string;

beforeAll(async () => {
  Logger.overrideLogger(false);
  chain = await startTestChain();
  platform = await openTestDatabase();
  // A separate data source, because the application closes it when it shuts down.
  const dataSource = createDataSource({
    databaseUrl: platform.url,
    poolSize: 2,
    applicationName: 'test',
    onPoolError: () => undefined,
  });
  await dataSource.initialize();
  const { networks, patience } = settingsFor(chain.url);
  const others = parseNetworksConfiguration([sampleBitcoin({ rpc_urls: [await node.start()] })]);
  const settings = new NetworksSettings([...networks, ...others], patience);
  const module = await Test.createTestingModule({
    imports: [
      SettingsModule.forRoot([new HttpSettings(), settings]),
      PlatformModule.forRoot(dataSource),
      NetworkReadinessChecksModule,
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
  await node.stop();
});

describe('The list of assets that callers see', () => {
  it('shows assets with the confirmations of their network, in pages', async () => {
    const answer = await fetch(`${url}/v1/assets?page_size=1`);
    const { data } = (await answer.json()) as { data: { next: string } };
    const last = await fetch(`${url}/v1/assets?page_size=1&after=${data.next}`);

    expect(data).toMatchObject({
      data: [{ unique_asset_id: `nsandbox_t${SAMPLE_TOKEN}`, symbol: 'USDT', required_confirmations: 3 }],
      ...{ total: 2, page: 1, page_size: 1, total_pages: 2 },
    });
    expect(((await last.json()) as { data: object }).data).toMatchObject({
      data: [{ symbol: expect.not.stringMatching('USDT') }],
      total: 2,
    });
  });
});

describe('A process that starts on a chain without factory and token', () => {
  it('runs, reads the chain and takes no requests', async () => {
    const head = await app.get(Chains).of('sandbox').reader.head();

    expect(head.head.number).toBe(0);
    expect(app.get(NetworkCatalogue).acceptsPaymentRequests('sandbox')).toBe(false);
  });
});

describe('A process that starts beside a node of Bitcoin', () => {
  it('accepts requests, derives wallet addresses, and reads blocks and pending transfers', async () => {
    const { reader, secondEndpoint, pending, depositAddresses } = app.get(Chains).of('bitcoin');
    const { head, finalNumber } = await reader.head();
    const terms = { settlementAddress: WALLET, feeRecipient: '', feeBasisPoints: 0 };
    const [block] = await reader.blocks(head.number, head.number, null);
    const { last } = await secondEndpoint.contentsOfBlockRange(head.number, head.number);
    const look = await pending!.pollMempools(() => Promise.resolve(new Set()), 10);

    expect(app.get(NetworkCatalogue).acceptsPaymentRequests('bitcoin')).toBe(true);
    expect(depositAddresses.derive(terms, { requestId: '', number: 0 })).toMatchObject({
      address: FIRST_ADDRESS,
      isDelivered: true,
    });
    expect([head.hash, finalNumber]).toEqual([bitcoin.head.hash, bitcoin.head.height]);
    expect([block!.header, last]).toEqual([head, head]);
    expect(look.isWhole).toBe(true);
  });
});
