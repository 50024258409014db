import { beforeAll, describe, expect, it } from '@jest/globals';
import type {
  CheckoutDto,
  PublicCheckoutDto,
} from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { parseAmount } from '#shared/kernel/amount.js';
import { anotherOrganization } from '../../support/another-organization.js';
import { OWN_FORM, signedIn } from '../../support/dashboard-session.js';
import { eventually } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';
import type { SharedService } from '../../support/shared-service.js';

const CONFIRMATIONS = 5;
const MONTH_S = 32 * 86_400;

let service: TestService;
let month: string;

async function get(path: string, cookie: string) {
  const answer = await fetch(service.apiUrl + path, { headers: { cookie }, redirect: 'manual' });
  return { status: answer.status, text: await answer.text() };
}

async function post(path: string, form: Record<string, string>, cookie: string) {
  const answer = await fetch(service.apiUrl + path, {
    ...{ method: 'POST', redirect: 'manual' as const, headers: { ...OWN_FORM, cookie } },
    body: new URLSearchParams(form),
  });
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
}

/** Pays 12.50 USD in a token that is pegged to it, at a locked rate. */
async function pay(): Promise<void> {
  const asset = service.assets[0]!;
  const { seed, api, wallet, chain } = service;
  const path = `/v1/pos/${seed.posId}/payment-request-checkout`;
  const { session_id } = await api.post<CheckoutDto>(path, { amount: '12.50', coin_code: 'USD' });
  const answer = await fetch(`${service.apiUrl}/public/checkout/${session_id}/select-asset`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ unique_asset_id: asset.unique_asset_id }),
  });
  const { data } = (await answer.json()) as { data: PublicCheckoutDto };
  const units = BigInt(parseAmount('12.5', asset.decimals));
  const hash = await wallet.send(
    tokenOf(asset.unique_asset_id),
    data.selected!.address as `0x${string}`,
    units,
  );
  await wallet.mined(hash);
  await chain.mine(CONFIRMATIONS);
  await eventually(
    () => service.query('SELECT FROM ledger.transactions WHERE organization_id = $1', [seed.organizationId]),
    (rows) => rows.length === 1,
  );
}

export function booksSuite(shared: SharedService): void {
  describe('The books in the dashboard and over the API', () => {
    beforeAll(async () => {
      service = await shared.shop();
      const [now] = await service.query<{ month: string }>(
        `SELECT to_char(platform.now() AT TIME ZONE 'UTC', 'YYYY-MM') AS month`,
      );
      month = now!.month;
      await pay();
    });
    const as = (role: 'owner' | 'admin' | 'viewer') =>
      signedIn(service.query, service.seed.organizationId, role);

    it('have a statement and a journal, valued by the locked rate, as pages, files and answers', async () => {
      const viewer = await as('viewer');
      const page = await get(`/app/statements?month=${month}`, viewer);
      const journal = await get(`/app/journal.csv?month=${month}`, viewer);
      const xero = await get(`/app/journal-xero.csv?month=${month}`, viewer);
      const file = await get(`/app/statements.csv?month=${month}`, viewer);

      expect(page.text).toContain(`Statements for ${month}`);
      expect(page.text).toMatch(/12\.5/);
      expect(page.text).toContain('1–1 of 1');
      expect(journal.text).toMatch(/custody,[^\r\n]*,12\.5,,[^\r\n]*,USD,12\.5,1,locked,peg,/);
      expect(xero.text).toMatch(/PC-SALES,Tax Exempt,-12\.5\r\n/);
      expect(file.text.split('\r\n')[1]).toMatch(/,0,12\.5,-0\.0625,0,0,0,12\.4375$/);
      const listed = await service.api.get<{ data: unknown[] }>(
        `/v1/statements?month=${month}&page=1&page_size=5`,
      );
      expect(listed.data).toEqual([
        expect.objectContaining({ month, collected: '12.5', closing: '12.4375' }),
      ]);
    });

    it('are another organization’s to nobody else', async () => {
      const stranger = await anotherOrganization(service.query, service.seed.organizationId);
      const cookie = await signedIn(service.query, stranger, 'owner');

      expect((await get(`/app/statements?month=${month}`, cookie)).text).toContain(
        'No transactions up to this month.',
      );
      expect((await get('/app/periods', cookie)).text).toContain('No transactions yet.');
      expect(
        (await get(`/app/journal.csv?month=${month}`, cookie)).text.trimEnd().split('\r\n'),
      ).toHaveLength(1);
      const named = `month=${month}&account=${service.seed.accountId}`;
      expect((await get(`/app/statements.csv?${named}`, cookie)).status).toBe(403);
    });

    it.each(['2030-13', 'x', '=1'])('say what is wrong with the month %s', async (typed) => {
      const { status, text } = await get(
        `/app/statements?month=${encodeURIComponent(typed)}`,
        await as('viewer'),
      );

      expect(status).toBe(400);
      expect(text).toContain('id="month-problem"');
    });

    it('are valued in a currency that is one', async () => {
      const admin = await as('admin');
      const { accountId: account_id } = service.seed;

      const path = '/app/statements/currency';
      const present = async () => /\(([^)]*)\)<\/option>/.exec((await get(path, admin)).text)?.[1];

      expect((await post(path, { account_id, currency: 'XXX' }, admin)).text).toContain(
        'id="currency-problem"',
      );
      expect(await post(path, { account_id, currency: ' EUR ' }, admin)).toMatchObject({
        status: 303,
        location: `${path}?done=set`,
      });
      // What is left out by mistake changes nothing.
      expect((await post(path, { account_id, currency: '' }, admin)).status).toBe(400);
      expect((await post(path, { account_id: '', currency: '', none: 'on' }, admin)).status).toBe(400);
      expect(await present()).toBe('EUR');
      expect((await post(path, { account_id, currency: '', none: 'on' }, admin)).status).toBe(303);
      expect(await present()).toBeUndefined();
    });

    it('are closed and opened by an Owner alone, once the month has ended', async () => {
      const refused = await post('/app/periods/close', { period: month }, await as('owner'));
      expect([refused.status, refused.text.includes('has not ended')]).toEqual([409, true]);
      await service.advance(MONTH_S);
      const owner = await as('owner');
      expect((await get('/app/periods', await as('admin'))).text).not.toContain('/app/periods/close');
      expect((await post('/app/periods/close', { period: month }, await as('admin'))).status).toBe(403);
      expect((await get('/app/periods', owner)).text).toContain('/app/periods/close');

      const closed = await post('/app/periods/close', { period: month }, owner);
      const twice = await post('/app/periods/close', { period: month }, owner);
      const page = (await get('/app/periods?done=closed', owner)).text;
      const reopened = await post('/app/periods/reopen', { period: month }, owner);

      expect(closed).toMatchObject({ status: 303, location: '/app/periods?done=closed' });
      expect([twice.status, twice.text.includes(`${month} is already closed.`)]).toEqual([409, true]);
      expect(page).toContain('/app/periods/reopen');
      expect(reopened).toMatchObject({ status: 303, location: '/app/periods?done=reopened' });
      expect((await get('/app/audit-log', owner)).text).toContain('period closed');
    });
  });
}
