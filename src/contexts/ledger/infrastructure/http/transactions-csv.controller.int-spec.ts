import { ConcurrentDownloads } from '#shared/platform/http/answers/concurrent-downloads.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type OrganizationId, type AccountId } from '#shared/kernel/ids.js';
import { confirmedPayment, receivedDeposit, reversalOf } from '../../testing/movements.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';
import { MAX_CONCURRENT_DOWNLOADS } from '#shared/platform/http/answers/concurrent-downloads.js';
import { Global, Module, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Database } from '#shared/platform/database/database.js';
import { CallerAddressResolver } from '#shared/platform/http/callers/caller-address-resolver.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import type { Principal, RequestWithPrincipal } from '#shared/platform/http/callers/principal.js';
import { configureHttp } from '#shared/platform/http/server/http-application.js';
import { HttpAdapter } from '#shared/platform/http/server/http-server.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { LedgerModule } from '../../ledger.module.js';

const organizationId = newId<OrganizationId>();
const FILE = '/v1/transactions.csv';
const LIST = '/v1/transactions';
let ledger: TestLedger;
let api: LedgerApi;
beforeAll(async () => {
  ledger = await openLedger();
  const deposit = receivedDeposit({ organizationId, referenceId: '=HYPERLINK("http://evil.example")' });
  const movements = [
    confirmedPayment({ organizationId, referenceId: 'order-1' }),
    deposit,
    reversalOf(deposit),
    confirmedPayment({ organizationId }),
    confirmedPayment({ referenceId: 'a stranger' }),
  ];
  await ledger.happen(movements);
  await ledger.post(movements);
  api = await startLedgerApi(ledger.database, organizationId);
});
afterAll(async () => {
  await api.close();
  expect(await ledger.breaches()).toEqual({});
  await ledger.close();
});

interface ErrorAnswer {
  readonly code: string;
  readonly errors: { field: string; rule: string }[];
}

interface LedgerApi {
  get(target: string, accept?: string): Promise<Response>;
  close(): Promise<void>;
}

/** Starts the ledger's controllers on a real port, with requests authenticated as an organization. */
async function startLedgerApi(database: Database, organizationId: OrganizationId): Promise<LedgerApi> {
  class NoAccounts extends AccountDirectory {
    override async belongsTo(_account: AccountId): Promise<boolean> {
      return false;
    }
  }
  /** Replaces identity's guard and accepts every request. */
  class CallerOfOrganization implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const at = new Date('2026-02-01T10:20:30.456Z');
      const principal = { scope: { organizationId, accountId: null }, credentialId: 'credential', at };
      context.switchToHttp().getRequest<RequestWithPrincipal>().principal = principal as Principal;
      return true;
    }
  }
  const shared = [
    { provide: Database, useValue: database },
    { provide: AccountDirectory, useClass: NoAccounts },
    { provide: ConcurrentDownloads, useClass: ConcurrentDownloads },
    { provide: CallerAddressResolver, useValue: new CallerAddressResolver(new HttpSettings()) },
  ];
  @Global()
  @Module({
    providers: [...shared, { provide: APP_GUARD, useClass: CallerOfOrganization }],
    exports: shared.map(({ provide }) => provide),
  })
  class ProvidedModules {}
  @Module({ imports: [ProvidedModules, LedgerModule] })
  class LedgerApplication {}

  const logger = new JsonLogger({ level: 'silent' });
  const app = await NestFactory.create<NestExpressApplication>(LedgerApplication, new HttpAdapter(), {
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

describe('The CSV file of transactions', () => {
  it('contains the fields of the list, newest first, with escaped texts', async () => {
    const response = await api.get(FILE);

    const [header, ...lines] = (await response.text()).split('\r\n');
    const columns = header!.split(',');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="transactions-2026-02-01T102030Z.csv"',
    );
    const { data } = (await (await api.get(`${LIST}?page=1&page_size=5`)).json()) as {
      data: { data: Record<string, string>[] };
    };
    expect(Object.keys(data.data[1]!).every((field) => columns.includes(field))).toBe(true);
    expect(lines.pop()).toBe('');
    const written = data.data.map((record) =>
      columns
        .map((column) => {
          const value = record[column] ?? '';
          return value.startsWith('=') ? `"'=HYPERLINK(""http://evil.example"")"` : value;
        })
        .join(','),
    );
    expect(lines).toEqual(written);
    expect(lines[1]!.split(',').slice(3, 6)).toEqual(['-4', '-4', '-4']);
  });

  it.each([
    ['text/csv', true],
    ['*/*', false],
    ['application/json, text/csv;q=0.9', false],
  ])('replaces the JSON list if the Accept header prefers CSV: %s, preferred %s', async (accept, isFile) => {
    const response = await api.get(`${LIST}?type=payment_in${isFile ? '' : '&page=1&page_size=5'}`, accept);

    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      isFile ? 'text/csv; charset=utf-8; header=present' : 'application/json; charset=utf-8',
    ]);
    expect(response.headers.get('vary')).toContain('Accept');
    if (isFile) expect(await response.text()).toBe(await (await api.get(`${FILE}?type=payment_in`)).text());
  });

  it.each([
    [`${FILE}?reference_id=order-1`, 1],
    [`${FILE}?created_from=2020-01-01T00:00:00%2B02:00`, 4],
  ])('contains only the transactions of the filter: %s', async (target, count) => {
    expect((await (await api.get(target)).text()).split('\r\n')).toHaveLength(count + 2);
  });

  it.each([
    ['page=1&page_size=5', ['page', 'page_size'], 'unknown_field'],
    ['type=bribe', ['type'], 'in'],
    ['status=completed&status=completed', ['status'], 'duplicate_key'],
    ['reference_id=a%0Ab', ['reference_id'], 'text'],
    ['created_from=2026-01-01T00:00:00', ['created_from'], 'instant'],
    [
      'created_from=2026-02-01T00:00:00Z&created_to=2026-01-01T00:00:00Z',
      ['created_from', 'created_to'],
      'time_order',
    ],
  ])('is refused with a JSON error that names each invalid field: %s', async (query, fields, rule) => {
    for (const answer of [api.get(`${FILE}?${query}`), api.get(`${LIST}?${query}`, 'text/csv')]) {
      const response = await answer;
      const { code, errors } = (await response.json()) as ErrorAnswer;

      expect([response.status, code]).toEqual([
        400,
        rule === 'unknown_field' ? 'unknown_field' : 'validation_failed',
      ]);
      expect(errors.map((error) => [error.field, error.rule])).toEqual(fields.map((field) => [field, rule]));
    }
  });

  it(`is limited to ${MAX_CONCURRENT_DOWNLOADS} concurrent downloads of a credential`, async () => {
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const query = ledger.database.query.bind(ledger.database);
    ledger.database.query = async (text, values) => {
      await held;
      return query(text, values);
    };
    const downloads = Array.from({ length: MAX_CONCURRENT_DOWNLOADS + 1 }, () => api.get(FILE));
    const refused = await Promise.race(downloads);
    ledger.database.query = query;
    release();
    const statuses = (await Promise.all(downloads)).map(({ status }) => status).sort();

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(statuses).toEqual([...Array.from({ length: MAX_CONCURRENT_DOWNLOADS }, () => 200), 429]);
    expect((await api.get(FILE)).status).toBe(200);
  });
});
