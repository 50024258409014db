// Identity as the service builds it, with two routes that differ in one thing: `/proven` requires a credential, `/bare` lets
// everybody in and sends the statement that would read one. Sent the URL of the database, it answers with its port. It also creates
// credentials, and answers how many microseconds of CPU time it has used, or an HMAC takes.
import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Global, Headers, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { MerchantAccountDeletionBlockers } from '#contexts/identity/contract/merchant-account-deletion-blockers.js';
import { CreateCredential } from '#contexts/identity/application/credentials/create-credential.js';
import { CreateOrganization } from '#contexts/identity/application/accounts/create-organization.js';
import { IssueAccessToken } from '#contexts/identity/application/credentials/issue-access-token.js';
import { IdentityModule } from '#contexts/identity/identity.module.js';
import { IdentitySettings } from '#contexts/identity/infrastructure/identity-settings.js';
import { READ_CREDENTIAL } from '#contexts/identity/infrastructure/credentials/persistence/credential-lookup.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { SIGNS_FROM_ALWAYS, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { Database } from '#shared/platform/database/database.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import { Public } from '#shared/platform/http/callers/route-markers.js';
import { configureHttp } from '#shared/platform/http/server/http-application.js';
import { HttpAdapter } from '#shared/platform/http/server/http-server.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { PlatformModule } from '#shared/platform/platform.module.js';

const UNLIMITED = 1_000_000_000;
const LIMITS = {
  exchangesPerMinute: UNLIMITED,
  failuresPerMinute: UNLIMITED,
  requestsPerSecond: UNLIMITED,
  deviceCreationsPerMinute: UNLIMITED,
};
const SECRET = Buffer.alloc(32, 7);

@Controller()
class Probe {
  constructor(private readonly database: Database) {}

  @Get('proven')
  proven(): object {
    return {};
  }

  @Public()
  @Get('bare')
  async bare(@Headers('x-service-api-key') keyId: string): Promise<object> {
    await this.database.query(READ_CREDENTIAL, [keyId]);
    return {};
  }
}

interface Pool {
  readonly databaseUrl: string;
  readonly connections: number;
}

async function open({ databaseUrl, connections }: Pool): Promise<NestExpressApplication> {
  const onPoolError = () => undefined;
  const pool = { databaseUrl, poolSize: connections, applicationName: 'authentication', onPoolError };
  const dataSource = await createDataSource(pool).initialize();
  const settings = [
    {
      provide: IdentitySettings,
      useValue: new IdentitySettings(
        'development',
        new SigningKeyRing([{ id: 'one', secret: SECRET, signsFrom: SIGNS_FROM_ALWAYS, endsAt: null }]),
        'bench',
        'bench',
        LIMITS,
      ),
    },
    { provide: HttpSettings, useValue: new HttpSettings() },
    { provide: MerchantAccountDeletionBlockers, useValue: {} },
  ];
  @Global()
  @Module({ providers: settings, exports: settings.map(({ provide }) => provide) })
  class Settings {}
  @Module({ imports: [Settings, PlatformModule.forRoot(dataSource), IdentityModule], controllers: [Probe] })
  class Application {}
  const logger = new JsonLogger({ level: 'silent' });
  const app = await NestFactory.create<NestExpressApplication>(Application, new HttpAdapter(), {
    logger,
    bodyParser: false,
  });
  configureHttp(app, { logger });
  await app.listen(0, '127.0.0.1');
  return app;
}

async function credential({ allowedAddresses = [] }: { allowedAddresses?: string[] }) {
  const input = { organizationId, name: 'Till', roles: ['read'], allowedAddresses, actor: 'bench' };
  const { id, keyId } = (await app.get(CreateCredential).create(input)).credential;
  const { token } = await app.get(IssueAccessToken).issue(id, new Date());
  return { authorization: `Bearer ${token}`, 'x-service-api-key': keyId };
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function hmac({ times, text }: { times: number; text: string }): number {
  const before = cpu();
  for (let n = 0; n < times; n += 1) createHmac('sha256', SECRET).update(text).digest();
  return (cpu() - before) / times;
}

let app: NestExpressApplication;
let organizationId: OrganizationId;
const answers = {
  async open(asked: Pool) {
    app = await open(asked);
    const { organization } = await app.get(CreateOrganization).create({ name: 'Shops', actor: 'bench' });
    organizationId = organization.id;
    return { port: (app.getHttpServer().address() as AddressInfo).port };
  },
  credential,
  cpu,
  hmac,
};

process.on('message', async ({ what, ...asked }: { what: keyof typeof answers }) =>
  process.send!({ answer: await (answers[what] as (asked: object) => unknown)(asked) }),
);
