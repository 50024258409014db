import type { DeletionBlockerCounts } from '../contract/merchant-account-deletion-blockers.js';
import {
  AllowDevices,
  RequireOrganizationScope,
  Public,
} from '#shared/platform/http/callers/route-markers.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Global, Module, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { DataSource } from 'typeorm';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { configureHttp } from '#shared/platform/http/server/http-application.js';
import { HttpAdapter } from '#shared/platform/http/server/http-server.js';
import { parseTrustedProxies } from '#shared/platform/http/callers/caller-address-resolver.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import type { SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { DASHBOARD_PATH } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { ringOfFixedKeys } from '#shared/kernel/testing/fixed-keys.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { PlatformModule } from '#shared/platform/platform.module.js';
import type { KeyRingEntry } from '#shared/platform/setting-reader.js';
import { MerchantAccountDeletionBlockers } from '../contract/merchant-account-deletion-blockers.js';
import { CreateCredential, type NewCredential } from '../application/credentials/create-credential.js';
import { CreateOrganization } from '../application/accounts/create-organization.js';
import type { Account, Organization } from '../domain/accounts/account.js';
import type { Credential, ServiceEnvironment } from '../domain/credentials/credential.js';
import { IdentityModule } from '../identity.module.js';
import {
  IdentitySettings,
  type AccessRateLimits,
  type AccessTokenSigningKey,
} from '../infrastructure/identity-settings.js';
import { RecentSecondFactorGuard } from '../infrastructure/people/dashboard/recent-second-factor.guard.js';
import { PeopleModule } from '../people.module.js';

export const NOTHING_OPEN: DeletionBlockerCounts = {
  openPaymentRequests: 0,
  activePaymentLinks: 0,
  activeWebhooks: 0,
  openSubscriptions: 0,
  openRefunds: 0,
  openFloatWithdrawals: 0,
  unsettledAssets: [],
};

export class FixedAccountBusiness extends MerchantAccountDeletionBlockers {
  open: DeletionBlockerCounts = NOTHING_OPEN;

  previewOpenItems(): Promise<DeletionBlockerCounts> {
    return this.readOpenItems();
  }

  readOpenItems(): Promise<DeletionBlockerCounts> {
    return Promise.resolve(this.open);
  }
}

@Controller('probe')
class ProbeController {
  @Get('read')
  read(@CurrentPrincipal() principal: Principal): object {
    return { ...principal, roles: [...principal.roles] };
  }

  @Post('write')
  write(): object {
    return {};
  }

  @RequireOrganizationScope()
  @Post('organization')
  organization(): object {
    return {};
  }

  @AllowDevices()
  @Get('pos/:posID')
  point(): object {
    return {};
  }

  @AllowDevices('creation', { amount: true, order: ['items'] })
  @Post('pos/:posID')
  create(@Body() _body: object): object {
    return {};
  }

  @AllowDevices('common')
  @Get('common')
  common(): object {
    return {};
  }

  @Public()
  @Get('public')
  public(): object {
    return {};
  }
}

const UNREACHED_LIMITS: AccessRateLimits = {
  exchangesPerMinute: 1_000_000,
  failuresPerMinute: 1_000_000,
  requestsPerSecond: 1_000_000,
  deviceCreationsPerMinute: 1_000_000,
};

/** `pages` limits requests per IP address for a page, and per dashboard session. */
export type TestLimits = Partial<AccessRateLimits> & { readonly pages?: number };

export interface TestCredential {
  readonly credential: Credential;
  readonly secret: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: {
    readonly status: string;
    readonly code?: string;
    readonly data: { token: string; token_type: string; expired_at: string; [field: string]: unknown };
    readonly [field: string]: unknown;
  };
}

/**
 * Runs the identity context behind real HTTP with its own database. Requests from 127.0.0.1 may name their IP address.
 */
export class IdentityApi {
  static readonly tokenKeys = [
    { id: 'new', secret: randomBytes(32) },
    { id: 'old', secret: randomBytes(32) },
  ];

  private constructor(
    readonly app: NestExpressApplication,
    readonly platform: TestPlatform,
    readonly url: string,
    readonly ring: SigningKeyRing<AccessTokenSigningKey>,
  ) {}

  /** @param limits default: no rate limits @param more modules to import in addition to identity's own */
  static async start(
    environment: ServiceEnvironment = 'development',
    limits: TestLimits = {},
    more: NonNullable<ModuleMetadata['imports']> = [],
  ): Promise<IdentityApi> {
    const platform = await openTestDatabase();
    const ring = ringOfFixedKeys<KeyRingEntry>(...IdentityApi.tokenKeys);
    const settings = new IdentitySettings(
      environment,
      ring,
      'test-issuer',
      `test/${environment}`,
      { ...UNREACHED_LIMITS, ...limits },
      3600,
      { headerAlias: 'x-acme-key', prefixes: ['acme.'] },
    );
    const publicLimits = { requests: 120, misses: 30, pages: limits.pages ?? 1_000_000 };
    const http = new HttpSettings(parseTrustedProxies('127.0.0.1'), undefined, publicLimits);

    @Global()
    @Module({
      providers: [
        { provide: IdentitySettings, useValue: settings },
        { provide: HttpSettings, useValue: http },
        { provide: MerchantAccountDeletionBlockers, useClass: FixedAccountBusiness },
      ],
      exports: [IdentitySettings, HttpSettings, MerchantAccountDeletionBlockers],
    })
    class TestSettings {}

    @Module({
      imports: [TestSettings, PlatformModule.forRoot(await connectTo(platform)), IdentityModule, ...more],
      controllers: [ProbeController],
    })
    class TestModule {}

    const logger = new JsonLogger({ level: 'silent' });
    const app = await NestFactory.create<NestExpressApplication>(TestModule, new HttpAdapter(), {
      logger,
      bodyParser: false,
    });
    configureHttp(app, { logger, formPaths: [DASHBOARD_PATH] });
    if (more.includes(PeopleModule)) app.useGlobalGuards(app.get(RecentSecondFactorGuard));
    await app.listen(0, '127.0.0.1');
    return new IdentityApi(app, platform, (await app.getUrl()).replace('[::1]', '127.0.0.1'), ring);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.platform.close();
  }

  createOrganization(name = 'Example Shops'): Promise<{ organization: Organization; account: Account }> {
    return this.app.get(CreateOrganization).create({ name, actor: 'test' });
  }

  createCredential(
    input: Partial<NewCredential> & Pick<NewCredential, 'organizationId'>,
  ): Promise<TestCredential> {
    return this.app
      .get(CreateCredential)
      .create({ name: 'Till', roles: ['read', 'write'], actor: 'test', ...input });
  }

  async call(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ): Promise<ApiAnswer> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as ApiAnswer['body'] };
  }

  exchange(apiKey: string, apiSecret: string, headers: Record<string, string> = {}): Promise<ApiAnswer> {
    return this.call('POST', '/v1/auth/token', headers, { api_key: apiKey, api_secret: apiSecret });
  }

  /**
   * Returns both authentication headers with a new token.
   * @param address IP address of the caller, for a credential with an allowlist
   */
  async headers(
    { credential, secret }: TestCredential,
    address = '127.0.0.1',
  ): Promise<Record<string, string>> {
    const { body } = await this.exchange(credential.keyId, secret, { 'x-forwarded-for': address });
    return authenticationHeaders(body.data.token, credential.keyId);
  }
}

function connectTo({ url }: TestPlatform): Promise<DataSource> {
  return createDataSource({
    databaseUrl: url,
    poolSize: 10,
    applicationName: 'api',
    onPoolError: () => undefined,
  }).initialize();
}

export function authenticationHeaders(token: string, keyId: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-service-api-key': keyId };
}
