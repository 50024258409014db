import { type CanActivate, type ExecutionContext, Global, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { MADE_UP_EVENTS, MADE_UP_SETTLEMENTS, MADE_UP_SUBSCRIPTIONS } from '#test/support/partial-worlds.js';
import type { TestPlatform } from '#test/support/open-database.js';
import { Clock } from '#shared/kernel/clock.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Database } from '#shared/platform/database/database.js';
import { ScheduledJobs } from '#shared/platform/due-work/scheduled-jobs.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { IdempotentCreations } from '#shared/kernel/idempotent-creation.js';
import { IdempotencyKeys } from '#shared/platform/idempotency/idempotency-keys.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { RateLimits } from '#shared/kernel/rate-limits.js';
import { CallerAddressResolver } from '#shared/platform/http/callers/caller-address-resolver.js';
import { WindowRateLimits } from '#shared/platform/http/callers/window-rate-limits.js';
import { configureHttp } from '#shared/platform/http/server/http-application.js';
import { HttpAdapter } from '#shared/platform/http/server/http-server.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import type { Principal, RequestWithPrincipal } from '#shared/platform/http/callers/principal.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { OneTimeSecretStore } from '#contexts/identity/contract/dashboard-session.js';
import { PostgresOneTimeSecretStore } from '#contexts/identity/infrastructure/people/persistence/postgres-one-time-secret-store.js';
import { AccountDirectory, AccountNames } from '#contexts/identity/contract/account-directory.js';
import { PostgresAccountNames } from '#contexts/identity/infrastructure/accounts/persistence/merchant-accounts.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { HostResolver } from '../application/endpoints/validate-webhook-url.js';
import { WebhooksSettings, type WebhooksOptions } from '../application/webhooks-settings.js';
import { WebhooksModule } from '../webhooks.module.js';
import { newAccount, type Account } from './payment-events.js';
import { FixedHostResolver } from './fixed-host-resolver.js';

export interface WebhookApiAnswer {
  readonly httpStatus: number;
  readonly status: string;
  readonly data: Record<string, unknown> & { id: string; secret: string; data: Record<string, unknown>[] };
  readonly code?: string;
  readonly message?: string;
  readonly errors?: { field: string; rule: string }[];
  readonly request_id?: string;
}

interface ApiCallOptions {
  readonly account?: string;
  readonly scope?: TenantScope;
}

/**
 * Starts the webhooks controllers on a real port. `home` and `sibling` are accounts of one organization, `foreign` of
 * another.
 */
export async function startWebhookApi(platform: TestPlatform, options: Partial<WebhooksOptions> = {}) {
  platform.makesUp([...MADE_UP_EVENTS, ...MADE_UP_SETTLEMENTS, ...MADE_UP_SUBSCRIPTIONS]);
  const home = newAccount();
  const sibling: Account = { ...newAccount(), organizationId: home.organizationId };
  const foreign = newAccount();

  class Accounts extends AccountDirectory {
    override async belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean> {
      return [home, sibling, foreign].some(
        ({ accountId, organizationId }) => accountId === account && organizationId === organization,
      );
    }
  }
  class ProvenCaller implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const request = context.switchToHttp().getRequest<RequestWithPrincipal & IncomingMessage>();
      const scope = JSON.parse(String(request.headers['x-test-scope'])) as TenantScope;
      request.principal = { scope, keyId: 'svc.dev.test' } as Principal;
      return true;
    }
  }
  const settings = new WebhooksSettings({
    secretKeys: [{ id: 'test', secret: randomBytes(32) }],
    allowLoopbackHttp: true,
    ...options,
  });
  const limits = { now: 0 };
  const keys = new IdempotencyKeys(platform.database);
  const shared = [
    { provide: Database, useValue: platform.database },
    { provide: UnitOfWork, useValue: platform.database },
    { provide: Clock, useValue: platform.clock },
    { provide: ScheduledJobs, useValue: platform.scheduledJobs },
    { provide: EventLog, useValue: platform.eventLog },
    { provide: IdempotencyKeys, useValue: keys },
    { provide: IdempotentCreations, useValue: keys },
    { provide: IdempotentAnswers, useValue: new IdempotentAnswers(keys) },
    { provide: WindowRateLimits, useValue: new WindowRateLimits(() => limits.now) },
    { provide: RateLimits, useExisting: WindowRateLimits },
    { provide: AccountDirectory, useClass: Accounts },
    { provide: AccountNames, useClass: PostgresAccountNames },
    { provide: AuditLog, useClass: PostgresAuditLog },
    { provide: OneTimeSecretStore, useClass: PostgresOneTimeSecretStore },
    { provide: CallerAddressResolver, useValue: new CallerAddressResolver(new HttpSettings()) },
    { provide: WebhooksSettings, useValue: settings },
  ];
  @Global()
  @Module({
    providers: [...shared, { provide: APP_GUARD, useClass: ProvenCaller }],
    exports: shared.map(({ provide }) => provide),
  })
  class Surroundings {}
  @Module({ imports: [Surroundings, WebhooksModule] })
  class Application {}

  const lines: string[] = [];
  const answers: string[] = [];
  const destination = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line));
      done();
    },
  });
  const logger = new JsonLogger({ level: 'trace', destination });
  const app = await NestFactory.create<NestExpressApplication>(Application, new HttpAdapter(), {
    bodyParser: false,
    logger,
  });
  const resolver = new FixedHostResolver();
  (app.get(HostResolver) as { addresses: HostResolver['addresses'] }).addresses = (host) =>
    resolver.addresses(host);
  configureHttp(app, { logger });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();

  async function call(
    method: string,
    path: string,
    body?: unknown,
    {
      account = home.accountId,
      scope = { organizationId: home.organizationId, accountId: null },
    }: ApiCallOptions = {},
  ): Promise<WebhookApiAnswer> {
    const proof = { 'x-test-scope': JSON.stringify(scope) };
    const response = await fetch(`${url}/v1/account/${account}/webhook${path}`, {
      method,
      ...(body === undefined
        ? { headers: proof }
        : { headers: { ...proof, 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    answers.push(text);
    return { httpStatus: response.status, ...(JSON.parse(text) as Omit<WebhookApiAnswer, 'httpStatus'>) };
  }

  return {
    ...{ app, home, sibling, foreign, resolver, settings, call },
    ...{ lines, answers },

    async register(hookUrl: string, calling: ApiCallOptions = {}): Promise<{ id: string; secret: string }> {
      const { data, ...rest } = await call(
        'POST',
        '',
        { url: hookUrl, event_type: 'payment_request' },
        calling,
      );
      if (data === undefined) throw new Error(JSON.stringify(rest));
      return { id: data.id, secret: data.secret };
    },

    wait(seconds: number): void {
      limits.now += seconds * 1_000;
    },

    close: () => app.close(),
  };
}

export type WebhookApi = Awaited<ReturnType<typeof startWebhookApi>>;
