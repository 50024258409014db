import { randomBytes } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '../../../test/support/open-database.js';
import { IdentityModule } from '../../contexts/identity/identity.module.js';
import { IdentitySettings } from '../../contexts/identity/infrastructure/identity-settings.js';
import { parseNetworksConfiguration } from '../../contexts/networks/infrastructure/configuration/parse-networks-configuration.js';
import { NetworksSettings } from '../../contexts/networks/infrastructure/networks-settings.js';
import { PointOfSaleModule } from '../../contexts/point-of-sale/point-of-sale.module.js';
import { configureHttp } from '../../shared/platform/http/http-application.js';
import { JsonLogger } from '../../shared/platform/logging/logger.js';
import { PlatformModule } from '../../shared/platform/platform.module.js';
import { SettingsModule } from '../settings.module.js';
import { commands } from './commands.js';
import { runOperator } from './run-operator.js';

const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

let platform: TestPlatform;
let app: NestExpressApplication;
let url: string;

beforeAll(async () => {
  platform = await openTestDatabase();
  const networks = parseNetworksConfiguration([
    {
      network: 'sandbox',
      name: 'Sandbox',
      chain_id: 31337,
      rpc_urls: ['http://127.0.0.1:9'],
      finality: { confirmations: 3 },
      assets: [{ token: TOKEN, symbol: 'USDC', name: 'USD Coin', decimals: 6, minimum_amount: '0.01' }],
    },
  ]);
  const keys = [{ kid: 'a', secret: randomBytes(32) }];

  @Module({
    imports: [
      SettingsModule.forRoot([
        new IdentitySettings('development', keys, 'test', 'test/development'),
        new NetworksSettings(networks, { callTimeoutMs: 100, retryAfterMs: [] }),
      ]),
      PlatformModule.forRoot(platform.dataSource),
      IdentityModule,
      PointOfSaleModule,
    ],
  })
  class TestModule {}

  const logger = new JsonLogger({ level: 'silent' });
  app = await NestFactory.create<NestExpressApplication>(TestModule, { logger, bodyParser: false });
  configureHttp(app, { logger });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(async () => {
  await app.getHttpAdapter().close();
  await platform.close();
});

interface Said {
  status: number;
  out: string;
  err: string;
}

/** The commands on the application of this test, which stays open after each. */
async function say(...words: string[]): Promise<Said> {
  const said = { out: '', err: '' };
  const context = {
    get: app.get.bind(app),
    close: async () => undefined,
  } as unknown as INestApplicationContext;
  const status = await runOperator(
    {
      commands,
      openContext: async () => context,
      out: (text) => (said.out += text),
      err: (text) => (said.err += text),
    },
    words,
  );
  return { status, ...said };
}

async function told<T = Record<string, string>>(...words: string[]): Promise<T> {
  const { status, out, err } = await say(...words, '--json');
  expect([err, status]).toEqual(['', 0]);
  return JSON.parse(out) as T;
}

async function call(path: string, init: RequestInit = {}) {
  const answer = await fetch(url + path, init);
  const body = (await answer.json()) as { code?: string; data?: { [key: string]: unknown } };
  return { status: answer.status, code: body.code, data: body.data ?? {} };
}

describe('The operator', () => {
  it('sets up a merchant who can then list where he collects', async () => {
    const organization = await told('organization', 'create', '--name', 'Example Shops');
    const owner = ['--organization', organization['id']!];
    const branch = await told('account', 'create', ...owner, '--name', 'Berlin', '--external-id', 'b-1');
    await told('settlement-terms', 'set', ...owner, '--network', 'sandbox', '--address', ADDRESS);
    const asset = `nsandbox_t${TOKEN}`;
    const create = ['pos', 'create', ...owner, '--name', 'Web shop', '--payment-options', asset];
    const pos = await told(
      ...create,
      '--account',
      organization['account_id']!,
      '--return-url',
      'https://shop.example/r',
    );
    await told(...create, '--account', branch['id']!);
    const credential = ['credential', 'create', ...owner, '--name', 'Till', '--roles', 'read'];
    const whole = await told(...credential);
    const own = await told(...credential, '--account', organization['account_id']!);

    const seen = await call('/v1/pos?page=1&page_size=10', { headers: await headersOf(whole) });
    const narrowed = await call(`/v1/pos?page=1&page_size=10&account_id=${branch['id']}`, {
      headers: await headersOf(whole),
    });
    const mine = await call('/v1/pos?page=1&page_size=10', { headers: await headersOf(own) });
    const refused = await call(`/v1/pos?page=1&page_size=10&account_id=${organization['account_id']}`, {
      headers: await headersOf(own),
    });

    expect(seen.data).toMatchObject({ total: 2, page: 1, page_size: 10, total_pages: 1 });
    expect((seen.data['data'] as object[])[0]).toEqual({
      id: pos['id'],
      name: 'Web shop',
      type: 'online',
      organization_id: organization['id'],
      organization_name: 'Example Shops',
      account_id: organization['account_id'],
      account_name: 'Example Shops',
      config: {
        merchant: { name: 'Web shop' },
        payment_options: [asset.toLowerCase()],
        return_url: 'https://shop.example/r',
      },
      created_at: pos['created_at'],
      updated_at: pos['created_at'],
    });
    expect(narrowed.data).toMatchObject({
      total: 1,
      data: [{ account_id: branch['id'], account_name: 'Berlin' }],
    });
    expect(mine.data).toMatchObject({ total: 1, data: [{ id: pos['id'] }] });
    expect([refused.status, refused.code]).toEqual([403, 'account_not_allowed']);
    expect(await told('settlement-terms', 'list', ...owner)).toMatchObject([{ settlement_address: ADDRESS }]);
    expect(await told('pos', 'list', ...owner, '--page-size', '1')).toMatchObject({
      total: 2,
      total_pages: 2,
    });
    expect(await told('account', 'list', ...owner)).toMatchObject({ total: 2 });
  });

  it.each([
    'page=1',
    'page_size=10',
    'page=0&page_size=10',
    'page=1&page_size=101',
    'page=1&page_size=0',
    'page=x&page_size=1',
  ])('has the list refuse a query like %s', async (query) => {
    const { id } = await told('organization', 'create', '--name', 'Shop');
    const key = await told(
      'credential',
      'create',
      '--organization',
      id!,
      '--name',
      'Till',
      '--roles',
      'read',
    );

    const { status, code } = await call(`/v1/pos?${query}`, { headers: await headersOf(key) });

    expect([status, code]).toEqual([400, 'validation_failed']);
  });

  it('changes, disables, enables and deletes a credential by its key id', async () => {
    const { id } = await told('organization', 'create', '--name', 'Shop');
    const created = await say(
      'credential',
      'create',
      '--organization',
      id!,
      '--name',
      'Till',
      '--roles',
      'write',
    );
    const keyId = /svc\.dev\.\S+/.exec(created.out)?.[0] ?? '';
    expect(created.out).toContain('Keep the secret now: it cannot be shown again.');

    const changed = await told(
      'credential',
      'change',
      keyId,
      '--roles',
      'read,write',
      '--allowed-ips',
      '10.1.2.3/8',
    );
    expect(changed).toMatchObject({ roles: ['read', 'write'], allowed_ips: ['10.0.0.0/8'], enabled: true });
    expect(await told('credential', 'change', keyId, '--allowed-ips', '')).toMatchObject({ allowed_ips: [] });
    expect(await told('credential', 'disable', keyId)).toMatchObject({ enabled: false });
    expect(await told('credential', 'enable', keyId)).toMatchObject({ enabled: true });
    await told('credential', 'delete', keyId);
    expect(await told('credential', 'list', '--organization', id!)).toMatchObject({ total: 0 });
    expect(await say('credential', 'enable', keyId)).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining('No such credential'),
    });
  });

  it('approves an organization and lists it', async () => {
    const { id } = await told('organization', 'create', '--name', 'Shop');

    const approved = await told('organization', 'approve', id!);

    expect(approved['approved_at']).toMatch(/Z$/);
    expect((await say('organization', 'list', '--page-size', '1000')).out).toContain(id);
  });

  it('answers a refusal with its sentence and status 1', async () => {
    const refused = await say('organization', 'create', '--name', ' ');
    const missing = await say('organization', 'approve', '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f', '--json');

    expect(refused).toEqual({
      status: 1,
      out: '',
      err: 'name: must be 1 to 200 characters without control characters.',
    });
    expect([missing.status, JSON.parse(missing.err)]).toEqual([
      1,
      { code: 'not_found', message: expect.any(String) },
    ]);
  });

  it('answers what it does not understand with a sentence, the usage and status 2', async () => {
    const unknown = await say('organization', 'sell');
    const option = await say('organization', 'create', '--nmae', 'x');
    const json = await say('organization', 'approve', 'x', '--json');

    expect(unknown).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringMatching(/^There is no command "organization sell"\.\n\nUsage:/),
    });
    expect(option.err).toMatch(/^Unknown option '--nmae'\.\n\nUsage: .*organization create/);
    expect([json.status, JSON.parse(json.err)]).toMatchObject([2, { code: 'usage' }]);
  });

  it('explains itself', async () => {
    const all = await say('help');
    const one = await say('pos', 'create', '--help');

    expect(all.status).toBe(0);
    for (const { words } of commands) expect(all.out).toContain(words);
    expect(one.out).toContain('--payment-options <a,b>');
  });
});

async function headersOf(credential: Record<string, string>): Promise<Record<string, string>> {
  const { data } = await call('/v1/auth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: credential['api_key'], api_secret: credential['api_secret'] }),
  });
  return {
    authorization: `Bearer ${String(data['token'])}`,
    'x-service-api-key': credential['api_key'] ?? '',
  };
}
