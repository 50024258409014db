import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { storedTransactions } from '#contexts/ledger/testing/stored-transactions.js';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { parseAmount } from '#shared/kernel/amount.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { anotherOrganization } from '../../support/another-organization.js';
import { signedIn } from '../../support/dashboard-session.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import type { SharedService } from '../../support/shared-service.js';

/** A formula to spreadsheets, markup to browsers. */
const HOSTILE = `=HYPERLINK("x")"><img src=x onerror=alert(1)>`;
const CONFIRMATIONS = 5;

let service: TestService;
let viewer: string;
let hash: string;

async function get(path: string, cookie = viewer) {
  const answer = await fetch(service.apiUrl + path, { headers: { cookie }, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function pay(referenceId: string): Promise<void> {
  const asset = service.assets[0]!;
  const body = { amount: '12.5', unique_asset_id: asset.unique_asset_id, reference_id: referenceId };
  const path = `/v1/pos/${service.seed.posId}/payment-request`;
  const { address } = await service.api.post<PaymentRequestDto>(path, body);
  const units = BigInt(parseAmount('12.5', asset.decimals));
  hash = await service.wallet.send(tokenOf(asset.unique_asset_id), address as `0x${string}`, units);
  await service.wallet.mined(hash as `0x${string}`);
  await service.chain.mine(CONFIRMATIONS);
  await eventually(
    () =>
      service.query('SELECT FROM ledger.transactions WHERE organization_id = $1', [
        service.seed.organizationId,
      ]),
    (rows) => rows.length === 1,
  );
}

/** Refunds of the first moments of 2026, one a minute, without their journal. */
async function store(count: number): Promise<void> {
  const client = new pg.Client(service.databaseUrl);
  await client.connect();
  const database = {
    async run(work: () => Promise<void>) {
      await client.query('BEGIN');
      await work();
      await client.query('COMMIT');
    },
    query: async (text: string, values?: unknown[]) => (await client.query(text, values)).rows,
  } as unknown as Database;
  const { organizationId, accountId } = service.seed;
  const owner = { organizationId: organizationId as OrganizationId, accountId: accountId as AccountId };
  await storedTransactions(
    database,
    Array.from({ length: count }, (_, minute) => ({
      ...{ ...owner, type: 'refund', status: 'completed', referenceId: null },
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
    })),
  );
  await client.end();
}

export function transactionsSuite(shared: SharedService): void {
  describe('Transactions in the dashboard', () => {
    beforeAll(async () => {
      service = await shared.shop();
      viewer = await signedIn(service.query, service.seed.organizationId, 'viewer');
    });

    describe('The transactions', () => {
      it('say that there are none yet', async () => {
        const { status, text } = await get('/app/transactions');

        expect(status).toBe(200);
        expect(text).toContain('No transactions yet.');
      });

      it('show what was booked, with what others wrote as text', async () => {
        await pay(HOSTILE);

        const { text } = await get('/app/transactions');

        for (const shown of ['Incoming payment', '12.50 USDC', 'Completed', hash, '1–1 of 1']) {
          expect(visible(text)).toContain(shown);
        }
        expect(text).not.toContain('<img');
        expect(text).toContain('&lt;img');
      });

      it('are downloaded as they are filtered, with no formula', async () => {
        const { status, headers, text } = await get(
          '/app/transactions.csv?type=payment_in&status=&from=&zone=UTC',
        );

        expect(status).toBe(200);
        expect(headers.get('content-type')).toContain('text/csv');
        expect(headers.get('content-disposition')).toMatch(/^attachment; filename="transactions-.*\.csv"$/);
        const lines = text.trimEnd().split('\r\n');
        expect(lines).toHaveLength(2);
        expect(lines[1]).toContain(`"'=HYPERLINK(""x"")`);
        expect((await get('/app/transactions.csv?type=refund')).text.trimEnd().split('\r\n')).toHaveLength(1);
      });

      it('are filtered by days of the zone, with the periods as links', async () => {
        const { text } = await get('/app/transactions?zone=Asia/Tokyo&type=payment_in');
        const [today] = await service.query<{ day: string }>(
          `SELECT to_char(platform.now() AT TIME ZONE 'Asia/Tokyo', 'YYYY-MM-DD') AS day`,
        );
        const month = today!.day.slice(0, 7);

        expect(text).toContain('Times in Asia/Tokyo');
        expect(text).toContain(`zone=Asia%2FTokyo&amp;type=payment_in&amp;from=${month}-01`);
        expect(
          (await get(`/app/transactions?zone=Asia/Tokyo&from=${today!.day}&to=${today!.day}`)).text,
        ).toContain('1–1 of 1');
        expect((await get('/app/transactions?to=2020-01-01')).text).toContain('No transactions match');
        expect((await get(`/app/transactions?reference_id=${encodeURIComponent(HOSTILE)}`)).text).toContain(
          '1–1 of 1',
        );
        expect((await get('/app/transactions?reference_id=other')).text).toContain('No transactions match');
        expect((await get(`/app/transactions?account=${service.seed.accountId}`)).text).toContain('1–1 of 1');
        expect((await get('/app/transactions?account=nowhere')).text).toContain('id="account-problem"');
      });

      it('are of the days of the organization’s zone where none is chosen, in the file too', async () => {
        // At any moment, one of them has another day than UTC.
        const [there] = await service.query<{ zone: string; day: string }>(
          `SELECT zone, to_char(platform.now() AT TIME ZONE zone, 'YYYY-MM-DD') AS day
           FROM unnest(ARRAY['Pacific/Kiritimati', 'Pacific/Pago_Pago']) zone
           WHERE (platform.now() AT TIME ZONE zone)::date <> (platform.now() AT TIME ZONE 'UTC')::date LIMIT 1`,
        );
        const { zone, day } = there!;
        const set = (to: string) =>
          service.query('UPDATE identity.organizations SET time_zone = $2 WHERE id = $1', [
            service.seed.organizationId,
            to,
          ]);
        await set(zone);
        const { text } = await get(`/app/transactions?from=${day}&to=${day}`);
        const file = (await get(`/app/transactions.csv?from=${day}&to=${day}`)).text;
        await set('UTC');

        expect(text).toContain(`Times in ${zone}`);
        expect(text).toContain('1–1 of 1');
        expect(file.trimEnd().split('\r\n')).toHaveLength(2);
      });

      it.each([
        ['zone=Mars%2FBase', 'zone'],
        ['from=2026-02-30', 'from'],
        ['from=2026-02-02&to=2026-02-01', 'to'],
        ['type=gift', 'type'],
      ])('say what is wrong with a filter, and keep the others: %s', async (filter, field) => {
        const { status, text } = await get(`/app/transactions?${filter}&reference_id=kept`);

        expect(status).toBe(400);
        expect(text).toContain(`id="${field}-problem"`);
        expect(text).toContain('value="kept"');
        expect((await get(`/app/transactions.csv?${filter}`)).status).toBe(400);
      });

      it('refuse what is no filter', async () => {
        expect((await get('/app/transactions?organization_id=1')).status).toBe(400);
        expect((await get('/app/transactions?page=0')).status).toBe(400);
      });

      it('lead from any page to last month’s file by three clicks', async () => {
        const follow = (html: string, label: string) => {
          const link = new RegExp(`<a[^>]*href="([^"]*)"[^>]*>(?:<[^>]*>)*${label}`).exec(html);
          return link![1]!.replaceAll('&amp;', '&');
        };

        const list = await get(follow((await get('/app/audit-log')).text, 'Transactions'));
        const month = await get(follow(list.text, 'Last month'));
        const file = await get(follow(month.text, 'Download CSV'));

        expect(file.headers.get('content-type')).toContain('text/csv');
        expect(file.headers.get('content-disposition')).toMatch(/\d{4}-\d\d-01-to-\d{4}-\d\d-\d\d\.csv"$/);
      });

      it('are another organization’s to nobody else', async () => {
        const stranger = await anotherOrganization(service.query, service.seed.organizationId);
        const cookie = await signedIn(service.query, stranger, 'owner');

        expect((await get('/app/transactions', cookie)).text).toContain('No transactions yet.');
        expect((await get('/app/transactions.csv', cookie)).text.trimEnd().split('\r\n')).toHaveLength(1);
        expect((await get(`/app/transactions?account=${service.seed.accountId}`, cookie)).status).toBe(403);
        expect((await get(`/app/transactions.csv?account=${service.seed.accountId}`, cookie)).status).toBe(
          403,
        );
      });

      it('come by pages of 15, in at most 30 kB', async () => {
        await store(60);

        const first = await get('/app/transactions?from=2026-01-01&to=2026-01-01&type=refund');

        expect(first.text).toContain('1–15 of 60');
        expect(first.text).toContain('from=2026-01-01&amp;to=2026-01-01&amp;type=refund&amp;page=2');
        expect(Buffer.byteLength(first.text)).toBeLessThan(30_000);
        expect(
          (await get('/app/transactions?from=2026-01-01&to=2026-01-01&type=refund&page=2')).text,
        ).toContain('16–30 of 60');
        expect(
          (await get('/app/transactions?from=2026-01-01&to=2026-01-01&zone=America/New_York')).text,
        ).toContain('No transaction');
      });
    });
  });
}
