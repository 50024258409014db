import { beforeAll, describe, expect, it } from '@jest/globals';
import type {
  CheckoutDto,
  PublicCheckoutDto,
} from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { newId } from '#shared/kernel/ids.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { DashboardDesk } from './dashboard-desk.js';
import { signedIn } from '../../support/dashboard-session.js';
import { eventually } from '../../support/eventually.js';
import type { SharedService } from '../../support/shared-service.js';

const UNTIL_FINAL = 6;
const MONTH_SECONDS = 32 * 86_400;
/** A formula to spreadsheets, markup to browsers. */
const HOSTILE = `=HYPERLINK("x")"><img src=x onerror=alert(1)>`;
const SETTLED = `0x${'ab'.repeat(32)}`;

interface Payment {
  readonly id: string;
  readonly address: `0x${string}`;
  readonly hash: string;
}

let desk: DashboardDesk;
let month: string;
/** Paid in full through a checkout, at a locked rate. */
let complete: Payment;
/** 5 of 12.5 USDC were received. */
let short: Payment;

const posPath = () => `/v1/pos/${desk.service.seed.posId}`;
const locationOf = async (path: string) => (await desk.get(path)).headers.get('location');
const linesOf = async (path: string, cookie = desk.owner) =>
  (await desk.textOf(path, cookie)).trimEnd().split('\r\n');

async function createCheckout(): Promise<Omit<Payment, 'hash'>> {
  const { api, assets } = desk.service;
  const body = { amount: '12.50', coin_code: 'USD', reference_id: HOSTILE };
  const { id, session_id } = await api.post<CheckoutDto>(`${posPath()}/payment-request-checkout`, body);
  const { selected } = await api.post<PublicCheckoutDto>(`/public/checkout/${session_id}/select-asset`, {
    unique_asset_id: assets[0]!.unique_asset_id,
  });
  return { id, address: selected!.address as `0x${string}` };
}

async function pay(address: `0x${string}`, units: bigint): Promise<string> {
  const { wallet, assets } = desk.service;
  const hash = await wallet.send(tokenOf(assets[0]!.unique_asset_id), address, units);
  await wallet.mined(hash);
  return hash;
}

async function settle(): Promise<string> {
  const { service } = desk;
  const { organizationId, accountId } = service.seed;
  const id = newId<string>();
  await service.query(
    `INSERT INTO settlement.settlements (id, payouts_id, organization_id, account_id, network, unique_asset_id, currency,
       decimals, amount, fee_amount, settlement_address, paid_from, transaction_hash, payment_count, status, created_at,
       updated_at)
     VALUES ($1, $1, $2, $3, 'sandbox', 'usdc', 'USDC', 6, 24750000, 250000, $4, $4, $5, 2, 'completed',
       platform.now(), platform.now())`,
    [id, organizationId, accountId, `0x${'c1'.repeat(20)}`, SETTLED],
  );
  await service.query(
    `INSERT INTO settlement.settled_addresses (settlement_id, number, payment_request_id, address, to_settlement, to_fee,
       fee_basis_points)
     SELECT $1, n, gen_random_uuid(), '0x00', 24750000, 250000, 100 FROM generate_series(1, 2) n`,
    [id],
  );
  return id;
}

export function moneySuite(shared: SharedService): void {
  describe('The dashboard of a shop with payments', () => {
    desk = new DashboardDesk(shared);

    beforeAll(async () => {
      const { service } = desk;
      const { api, seed, assets } = service;
      const [now] = await service.query<{ month: string }>(
        `SELECT to_char(platform.now() AT TIME ZONE 'UTC', 'YYYY-MM') AS month`,
      );
      month = now!.month;
      // The API itself answers deliveries with 404.
      const webhook = { url: `${service.apiUrl}/nowhere`, event_type: 'payment_request' };
      await api.post(`/v1/account/${seed.accountId}/webhook`, webhook);
      const order = { amount: '12.5', unique_asset_id: assets[0]!.unique_asset_id, reference_id: 'order-1' };
      const request = await api.post<Payment>(`${posPath()}/payment-request`, order);
      const checkout = await createCheckout();
      short = { ...request, hash: await pay(request.address, 5_000_000n) };
      complete = { ...checkout, hash: await pay(checkout.address, 12_500_000n) };
      await service.chain.mine(UNTIL_FINAL);
      await eventually(
        () =>
          service.query(
            `SELECT FROM figures.daily WHERE figure = 'paid' AND scope_id = $1
             AND EXISTS (SELECT FROM ledger.transactions WHERE payment_request_id = $2)`,
            [seed.organizationId, complete.id],
          ),
        (rows) => rows.length === 1,
      );
    });

    it('shows on the overview the created and the paid requests and the volume', async () => {
      const text = visible(await desk.textOf('/app?days=30', desk.viewer));

      expect(text).toMatch(/Test mode.*Created 2, Paid in full or overpaid 1/s);
      expect(text).toMatch(/Volume12\.50.USD.*12\.50.USDC \(1 USDC = 1\.00.USD, pegged\)/s);
      const spanish = await fetch(`${desk.service.apiUrl}/app`, {
        headers: { cookie: desk.viewer, 'accept-language': 'es-AR,en;q=0.5' },
      });
      expect(spanish.headers.get('content-language')).toBe('es');
      expect(await spanish.text()).toContain('<h1>Resumen</h1>');
    });

    it('lists payments newest first, filtered by the query of the URL', async () => {
      const page = await desk.textOf('/app/payments', desk.viewer);
      const filtered = await desk.textOf('/app/payments?reference=order-1');
      const begins = await desk.textOf('/app/payments?reference=order-');
      const open = await desk.textOf('/app/payments?status=open');
      const refused = await desk.get('/app/payments?from=2026-02-30&reference=kept');

      expect(page.indexOf(complete.id)).toBeLessThan(page.indexOf(short.id));
      expect([short, complete].map(({ id }) => filtered.includes(`/app/payments/${id}"`))).toEqual([
        true,
        false,
      ]);
      expect([short, complete].map(({ id }) => begins.includes(`/app/payments/${id}"`))).toEqual([
        true,
        false,
      ]);
      expect(visible(page)).toMatch(/All 2.*Open 1.*Completed 1.*Failed 0/s);
      expect([short, complete].map(({ id }) => open.includes(`/app/payments/${id}"`))).toEqual([true, false]);
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringMatching(/value="kept"[\s\S]*id="from-problem"|id="from-problem"[\s\S]*value="kept"/),
      ]);
    });

    it('saves a filter under a name, links to it and removes it', async () => {
      const filters = '/app/payments/filters';
      const save = (name: string) => desk.post(filters, { name, reference: 'order-', status: 'open' });
      const refused = await (await save('')).text();
      expect(refused).toContain('name: must be one line of 1 to 40 characters');

      expect((await save('Open <orders>')).headers.get('location')).toBe(
        '/app/payments?status=open&reference=order-',
      );
      const link = '<a href="/app/payments?status=open&amp;reference=order-"';
      const shown = await desk.textOf('/app/payments?reference=order-&status=open');
      expect(shown).toContain(`${link} aria-current="page"><bdi>Open &lt;orders></bdi>`);
      expect(shown).toContain('Remove saved filter');
      expect(await desk.textOf('/app/payments', desk.viewer)).not.toContain(link);

      await desk.post(`${filters}/remove`, { name: 'Open <orders>' });
      expect(await desk.textOf('/app/payments')).not.toContain(link);
    });

    it('downloads the payments that match the filter', async () => {
      const [header, line, ...rest] = await linesOf('/app/payments.csv?status=open&reference=order-&from=');

      expect(header).toMatch(/^id,reference_id,status,amount,/);
      expect(line).toMatch(new RegExp(`^${short.id},order-1,`));
      expect(rest).toEqual([]);
      expect(await linesOf('/app/payments.csv')).toHaveLength(3);
      expect((await desk.get('/app/payments.csv?status=gift')).status).toBe(400);
    });

    it('shows in the timeline of a payment its ledger transaction and webhook deliveries, in order of time', async () => {
      const page = await eventually(
        () => desk.textOf(`/app/payments/${complete.id}`, desk.viewer),
        (shown) => /Ledger: incoming payment/.test(shown) && /HTTP 404\), attempt 1/.test(shown),
      );

      expect(page).toMatch(/href="[^"]+\/receipt\/[\w-]+">View receipt/);
      const timeline = page.slice(page.indexOf('class="timeline"'));
      const times = [...timeline.matchAll(/datetime="([^"]+)"/gi)].map(([, at]) => at!).slice(0, 6);
      expect(times).toEqual([...times].sort());
      expect(timeline).toMatch(/href="\/app\/webhooks\/[0-9a-f-]{36}">Webhook delivery failed \(HTTP 404\)/);
      expect(visible(timeline)).toContain('Ledger: incoming payment 12.50 USDC');
      expect([...visible(timeline).matchAll(/Webhook Failing/g)]).toHaveLength(1);
    });

    it('explains why a payment is not complete, with each transfer', async () => {
      const page = await desk.textOf(`/app/payments/${short.id}`, desk.viewer);

      expect(page).toContain('Why this is not paid');
      expect(page).toContain(`href="https://scan.example/tx/${short.hash}"`);
      expect(visible(page)).toContain('5.00 USDC');
      expect(page).not.toContain('Ledger: incoming payment');
    });

    it('finds everything that has an id by a search for that id', async () => {
      const { api, query, seed, assets } = desk.service;
      const [{ id: transaction }] = (await query<{ id: string }>(
        'SELECT id FROM ledger.transactions WHERE payment_request_id = $1',
        [complete.id],
      )) as [{ id: string }];
      const [{ id: delivery, webhook_id: webhook }] = (await query<{ id: string; webhook_id: string }>(
        'SELECT id, webhook_id FROM webhooks.deliveries WHERE account_id = $1 LIMIT 1',
        [seed.accountId],
      )) as [{ id: string; webhook_id: string }];
      const link = await api.post<{ id: string; code: string }>(`${posPath()}/payment-link`, {
        amount: '5',
        coin_code: 'USD',
      });
      const terms = { amount: '5', unique_asset_id: assets[0]!.unique_asset_id, interval: 'P1M' };
      const { id: subscription, url } = await api.post<{ id: string; url: string }>(
        `${posPath()}/subscription`,
        terms,
      );
      const account = { name: 'Branch of the search', external_id: 'branch-1' };
      const { id: branch } = await api.post<{ id: string }>('/v1/account', account);

      const found = async (typed: string) => locationOf(`/app/search?q=${encodeURIComponent(` ${typed} `)}`);

      for (const typed of [short.id, 'order-1', short.address.toUpperCase().replace('0X', '0x'), short.hash])
        expect(await found(typed)).toBe(`/app/payments/${short.id}`);
      expect(await found(transaction.toUpperCase())).toBe(`/app/payments/${complete.id}`);
      for (const typed of [delivery, webhook]) expect(await found(typed)).toBe(`/app/webhooks/${webhook}`);
      expect(await found(seed.posId)).toBe(`/app/points-of-sale/${seed.posId}`);
      expect(await found(link.code)).toBe(`/app/links/${link.id}`);
      expect(await found(url.split('/').at(-1)!)).toBe(`/app/subscriptions/${subscription}`);
      for (const typed of [branch, account.name]) expect(await found(typed)).toBe(`/app/accounts/${branch}`);
    });

    it('lists and downloads transactions by filter, with formulas disarmed', async () => {
      const text = await desk.textOf('/app/transactions?type=payment_in', desk.viewer);
      const file = await desk.get('/app/transactions.csv?type=payment_in&status=&from=&zone=UTC');
      const lines = (await file.text()).trimEnd().split('\r\n');

      for (const shown of ['Incoming payment', '12.50 USDC', 'Completed', complete.hash, '1–1 of 1'])
        expect(visible(text)).toContain(shown);
      expect(file.headers.get('content-disposition')).toMatch(
        /^attachment; filename="transactions-.*\.csv"$/,
      );
      expect(lines).toHaveLength(2);
      expect(lines[1]).toContain(`"'=HYPERLINK(""x"")`);
      expect(await linesOf('/app/transactions.csv?type=refund')).toHaveLength(1);
      expect((await desk.get('/app/transactions.csv?type=gift')).status).toBe(400);
    });

    it('interprets days in the time zone of the organization', async () => {
      const { query, seed } = desk.service;
      // At any moment, one of them has another day than UTC.
      const [there] = await query<{ zone: string; day: string }>(
        `SELECT zone, to_char(platform.now() AT TIME ZONE zone, 'YYYY-MM-DD') AS day
         FROM unnest(ARRAY['Pacific/Kiritimati', 'Pacific/Pago_Pago']) zone
         WHERE (platform.now() AT TIME ZONE zone)::date <> (platform.now() AT TIME ZONE 'UTC')::date LIMIT 1`,
      );
      const { zone, day } = there!;
      const set = (to: string) =>
        query('UPDATE identity.organizations SET time_zone = $2 WHERE id = $1', [seed.organizationId, to]);
      await set(zone);
      const text = await desk.textOf(`/app/transactions?from=${day}&to=${day}`);
      const lines = await linesOf(`/app/transactions.csv?from=${day}&to=${day}`);
      await set('UTC');

      expect(text).toContain(`Times in ${zone}`);
      expect(text).toContain('1–1 of 1');
      expect(lines).toHaveLength(2);
    });

    it('lists settlements, and finds one by its id and its hash', async () => {
      const id = await settle();
      const path = `/app/settlements?transaction=${SETTLED}`;

      const text = visible(await desk.textOf('/app/settlements', desk.viewer));

      for (const shown of ['24.75 USDC', '0.25 USDC', 'Sandbox', SETTLED, 'Completed', '2 payments'])
        expect(text).toContain(shown);
      for (const typed of [SETTLED, id]) expect(await locationOf(`/app/search?q=${typed}`)).toBe(path);
    });

    it('values the books by the locked rate, in pages, files and the API', async () => {
      const page = await desk.textOf(`/app/statements?month=${month}`, desk.viewer);
      const [, statement] = await linesOf(`/app/statements.csv?month=${month}`);

      expect(page).toContain(`Statements for ${month}`);
      expect(page).toContain('1–1 of 1');
      expect(await desk.textOf(`/app/journal.csv?month=${month}`)).toMatch(
        /custody,[^\r\n]*,12\.5,,[^\r\n]*,USD,12\.5,1,locked,peg,/,
      );
      expect(await desk.textOf(`/app/journal-xero.csv?month=${month}`)).toMatch(
        /PC-SALES,Tax Exempt,-12\.5\r\n/,
      );
      expect(statement).toMatch(/,0,12\.5,-0\.0625,0,0,0,12\.4375$/);
      const { data } = await desk.service.api.get<{ data: unknown[] }>(
        `/v1/statements?month=${month}&page=1&page_size=5`,
      );
      expect(data).toEqual([expect.objectContaining({ month, collected: '12.5', closing: '12.4375' })]);
      expect((await desk.get('/app/statements?month=2030-13')).status).toBe(400);
    });

    it('changes the currency of the books only by a known code or an explicit removal', async () => {
      const { accountId: account_id } = desk.service.seed;
      const path = '/app/statements/currency';
      const present = async () => /\(([^)]*)\)<\/option>/.exec(await desk.textOf(path))?.[1];
      const set = async (form: Record<string, string>) =>
        (await desk.post(path, { account_id, ...form })).status;

      expect(await set({ currency: 'XXX' })).toBe(400);
      expect(await set({ currency: ' EUR ' })).toBe(303);
      expect(await set({ currency: '' })).toBe(400);
      expect(await present()).toBe('EUR');
      expect(await set({ currency: '', none: 'on' })).toBe(303);
      expect(await present()).toBeUndefined();
    });

    it('escapes the text of merchants', async () => {
      for (const path of ['/app/payments', `/app/payments/${complete.id}`, '/app/transactions']) {
        const page = await desk.textOf(path);
        expect(page).not.toContain('<img');
        expect(page).toContain('&lt;img');
      }
    });

    it('hides its payments and money from other organizations', async () => {
      const { accountId, posId } = desk.service.seed;
      for (const [path, nothing] of [
        ['/app/payments', 'No payment requests yet.'],
        ['/app/transactions', 'No transactions yet.'],
        ['/app/settlements', 'No settlements yet.'],
        [`/app/statements?month=${month}`, 'No transactions up to this month.'],
        ['/app/periods', 'No transactions yet.'],
        ['/app', 'No final payments yet.'],
      ] as const)
        expect(await desk.textOf(path, desk.stranger)).toContain(nothing);
      for (const path of ['/app/payments.csv', '/app/transactions.csv', `/app/journal.csv?month=${month}`])
        expect(await linesOf(path, desk.stranger)).toHaveLength(1);
      for (const [path, status] of [
        [`/app/payments/${complete.id}`, 404],
        [`/app/payments?pos=${posId}`, 400],
        [`/app/transactions?account=${accountId}`, 403],
        [`/app/transactions.csv?account=${accountId}`, 403],
        [`/app/settlements?account=${accountId}`, 403],
        [`/app/statements.csv?month=${month}&account=${accountId}`, 403],
      ] as const)
        expect([path, (await desk.get(path, desk.stranger)).status]).toEqual([path, status]);
      for (const typed of [short.id, 'order-1', short.address, short.hash, posId, 'branch-1', SETTLED])
        expect(await desk.textOf(`/app/search?q=${typed}`, desk.stranger)).toContain('No results');
    });

    // Moves the clock by a month, which ends all sessions.
    it('closes a month once it has ended, and reopens it', async () => {
      const { service } = desk;
      const early = await desk.post('/app/periods/close', { period: month });
      await service.advance(MONTH_SECONDS);
      const cookie = await signedIn(service.query, service.seed.organizationId, 'owner');
      const post = async (act: string) => {
        const answer = await desk.post(`/app/periods/${act}`, { period: month }, { cookie });
        return [answer.status, answer.headers.get('location')];
      };

      expect([early.status, (await early.text()).includes('has not ended')]).toEqual([409, true]);
      expect(await desk.textOf(`/app/periods/close?period=${month}`, cookie)).toContain(
        `Statements for ${month}`,
      );
      expect(await post('close')).toEqual([303, '/app/periods?done=closed']);
      expect(await post('close')).toEqual([409, null]);
      expect(await desk.textOf('/app/periods', cookie)).toContain('/app/periods/reopen');
      expect(await post('reopen')).toEqual([303, '/app/periods?done=reopened']);
      expect(await desk.textOf('/app/audit-log', cookie)).toContain('Month closed');
    });
  });
}
