import { Global, Module, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { CallerAddress } from '#shared/platform/http/callers/caller-address.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import type { Principal, ProvenRequest } from '#shared/platform/http/callers/principal.js';
import { configureHttp } from '#shared/platform/http/server/http-application.js';
import { HttpAdapter } from '#shared/platform/http/server/http-server.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { LedgerModule } from '../ledger.module.js';

export interface LedgerApi {
  get(target: string, accept?: string): Promise<Response>;
  close(): Promise<void>;
}

/** The context's controllers on a real port, called by an organization. */
export async function startLedgerApi(database: Database, organizationId: OrganizationId): Promise<LedgerApi> {
  class NoAccounts extends AccountDirectory {
    override async belongsTo(_account: AccountId): Promise<boolean> {
      return false;
    }
  }
  /** Stands where identity's guard does. */
  class ProvenCaller implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const at = new Date('2026-02-01T10:20:30.456Z');
      const principal = { scope: { organizationId, accountId: null }, credentialId: 'credential', at };
      context.switchToHttp().getRequest<ProvenRequest>().principal = principal as Principal;
      return true;
    }
  }
  const shared = [
    { provide: Database, useValue: database },
    { provide: AccountDirectory, useClass: NoAccounts },
    { provide: CallerAddress, useValue: new CallerAddress(new HttpSettings()) },
  ];
  @Global()
  @Module({
    providers: [...shared, { provide: APP_GUARD, useClass: ProvenCaller }],
    exports: shared.map(({ provide }) => provide),
  })
  class Surroundings {}
  @Module({ imports: [Surroundings, LedgerModule] })
  class Application {}

  const logger = new JsonLogger({ level: 'silent' });
  const app = await NestFactory.create<NestExpressApplication>(Application, new HttpAdapter(), {
    bodyParser: false,
    logger,
  });
  configureHttp(app, { logger });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    get: (target, accept = '*/*') => fetch(`${url}${target}`, { headers: { accept } }),
    close: () => app.close(),
  };
}
