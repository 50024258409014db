import { beforeAll, describe, expect, it } from '@jest/globals';
import { signedIn } from '../../support/dashboard-session.js';
import { shownOnce } from '../../support/shown-once.js';
import { DashboardDesk, HOSTILE } from '../../support/dashboard-desk.js';
import type { SharedService } from '../../support/shared-service.js';

let desk: DashboardDesk;

export function sellingSuite(shared: SharedService): void {
  describe('Selling in the dashboard', () => {
    desk = new DashboardDesk(shared);

    describe('Payment links', () => {
      const link = () => ({ point_of_sale_id: desk.service.seed.posId, amount: '12.50', coin_code: 'USD' });
      let path: string;

      it('begin with none, and are created by a form', async () => {
        expect(await desk.textOf('/app/links')).toContain('No payment links yet');
        path = await desk.madeBy(desk.post('/app/links', link()));

        const page = await desk.textOf(`${path}?done=created`);

        expect(page).toContain('12.50<bdi>\u00a0USD</bdi>');
        expect(page).toMatch(/id="link-url"[^>]*>http[^<]+\/link\//);
        expect(page).toContain('alt="QR code for the link"');
      });

      it('keep what was typed in a refused form', async () => {
        const answer = await desk.post('/app/links', { ...link(), amount: '-1', return_url: HOSTILE });

        expect(answer.status).toBe(400);
        const page = await answer.text();
        expect(page).toContain('id="amount-problem"');
        expect(page).toContain('value="-1"');
        expect(page).not.toContain('<img src=x');
      });

      it('are listed by state, page by page', async () => {
        await desk.service.query(
          `INSERT INTO payments.payment_links
       SELECT (jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'code', 'code-of-test-' || n))).*
       FROM payments.payment_links l, generate_series(100, 149) n WHERE organization_id = $1`,
          [desk.service.seed.organizationId],
        );
        await desk.post(`${path}/deactivate`);

        expect(await desk.textOf('/app/links')).toContain('1–15 of 51');
        expect(await desk.textOf('/app/links?state=active')).toContain('1–15 of 50');
        const inactive = await desk.textOf('/app/links?state=inactive');
        expect(inactive).toContain('1–1 of 1');
        expect(inactive).toContain(path);
        expect(await desk.textOf('/app/links?page=4')).toContain('46–51 of 51');
      });

      it('open checkouts again', async () => {
        expect(await desk.textOf(path)).toContain('Inactive');
        await desk.post(`${path}/activate`);
        expect(await desk.textOf(path)).toContain('Deactivate');
      });

      it('have each act of a person once in the audit log', async () => {
        await desk.post(`${path}/activate`);
        await Promise.all([1, 2, 3].map(() => desk.post(`${path}/deactivate`)));
        await desk.post(`${path}/activate`);

        expect(await desk.auditOf(path)).toEqual([
          'payment_link.created',
          'payment_link.deactivated',
          'payment_link.activated',
          'payment_link.deactivated',
          'payment_link.activated',
        ]);
      });

      it('are not listed by a filter that cannot be read, which is named with its rule', async () => {
        const answer = await desk.get('/app/links?state=lost');

        expect([answer.status, await answer.text()]).toEqual([
          400,
          expect.stringMatching(/id="state-problem">must be one of: active, inactive/),
        ]);
      });

      it('are nobody else’s to see or to change', async () => {
        await desk.expectRefusals(path, ['/app/links', `${path}/deactivate`, `${path}/activate`]);
        expect(await desk.textOf('/app/links', desk.stranger)).toContain('No payment links yet');
        expect(await desk.textOf(path, desk.viewer)).not.toContain('Deactivate');
        expect((await desk.post(`${path}/deactivate`, {}, { cookie: desk.stranger })).status).toBe(404);
      });
    });

    describe('Points of sale', () => {
      const form = async () => {
        const [asset] = desk.service.assets;
        const [point] = await desk.service.query<{ option: string }>(
          'SELECT payment_options[1] AS option FROM point_of_sale.points_of_sale WHERE id = $1',
          [desk.service.seed.posId],
        );
        expect(asset).toBeDefined();
        return { name: HOSTILE, merchant_name: HOSTILE, payment_options: point!.option };
      };
      let path: string;

      it('are created by a form, and shown with their settlement terms', async () => {
        const account_id = desk.service.seed.accountId;
        path = await desk.madeBy(
          desk.post('/app/points-of-sale', { ...(await form()), type: 'online', account_id }),
        );

        for (const page of [await desk.textOf(path), await desk.textOf('/app/points-of-sale')]) {
          expect(page).toContain('&lt;script>alert(2)');
          expect(page).not.toContain('<img src=x');
        }
        expect(await desk.textOf(path)).toContain('Current settlement terms');
      });

      it('are changed, and keep what was typed in a refused form', async () => {
        const refused = await desk.post(path, { ...(await form()), name: 'Till 7', merchant_mcc: 'x1' });
        expect(refused.status).toBe(400);
        const page = await refused.text();
        expect(page).toContain('id="merchant_mcc-problem"');
        expect(page).toContain('value="Till 7"');

        await desk.madeBy(desk.post(path, { ...(await form()), name: 'Till 8', checkout_first: 'code' }));
        const changed = await desk.textOf(path);
        expect(changed).toContain('<h1>Till 8</h1>');
        expect(changed).toMatch(/<option value="code" selected/);
      });

      it('describe their till where they are physical ones, and have a sheet to print', async () => {
        const till = { till_coin_code: 'USD', till_tip_percentages: '5, 10', open_amount: 'on' };
        const products = 'Tea = 3.50\nTea & cake = 8';
        const described = { ...(await form()), ...till, till_products: products };
        const made = { ...described, type: 'physical', account_id: desk.service.seed.accountId };
        const physical = await desk.madeBy(desk.post('/app/points-of-sale', made));

        const refused = await desk.post(physical, { ...described, till_products: 'Tea = 3.50\nCake 8' });
        expect([refused.status, await refused.text()]).toEqual([
          400,
          expect.stringMatching(/Cake 8<\/textarea>[\s\S]*id="till_products-problem">2: must be a decimal/),
        ]);
        const page = await desk.textOf(physical);
        expect(page).toContain('Tea &amp; cake = 8</textarea>');
        const sheet = await desk.textOf(`${physical}/sheet`);
        expect(sheet).toContain('alt="QR code for the till"');
        expect(/id="code-url"[^>]*>([^<]+)/.exec(page)?.[1]).toBe(/class="address">([^<]+)/.exec(sheet)?.[1]);
        const online = await desk.post(path, described);
        expect([online.status, await online.text()]).toEqual([
          400,
          expect.stringContaining('requires a physical point of sale'),
        ]);
        expect((await desk.get(`${path}/sheet`)).status).toBe(404);
        expect((await desk.get(`${physical}/sheet`, desk.stranger)).status).toBe(404);
      });

      it('are found by a part of their name where they are too many for a list', async () => {
        await desk.service.query(
          `INSERT INTO point_of_sale.points_of_sale
           SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'name', 'Kiosk ' || n))).*
           FROM point_of_sale.points_of_sale p, generate_series(1, 60) n WHERE id = $1`,
          [desk.service.seed.posId],
        );
        const link = { amount: '12.50', coin_code: 'USD' };

        expect(await desk.textOf('/app/links/new')).toMatch(/<input id="point_of_sale_id"/);
        const searched = await desk.post('/app/links', { ...link, point_of_sale_id: 'kiosk 41' });

        const page = await searched.text();
        expect([searched.status, page]).toEqual([400, expect.stringContaining('value="12.50"')]);
        const [, id] = /<option value="([0-9a-f-]{36})">Kiosk 41 /.exec(page)!;
        await desk.madeBy(desk.post('/app/links', { ...link, point_of_sale_id: id! }));
      });

      it('are nobody else’s to see or to change', async () => {
        await desk.expectRefusals(path, ['/app/points-of-sale', path]);
        expect(await desk.textOf('/app/points-of-sale', desk.stranger)).toContain('No points of sale yet');
        expect(await desk.textOf(path, desk.viewer)).not.toContain('Save');
      });
    });

    describe('Tills', () => {
      let cashier: string;
      let path: string;
      const offer = async (cookie: string) => {
        const form = { point_of_sale_id: path.split('/').pop()! };
        return shownOnce(desk.service.apiUrl, await desk.post('/app/till', form, { cookie }), cookie);
      };
      const pair = async (page: string, device_name: string) => {
        const [, code] = /id="pairing-code"[^>]*>([2-9A-Z]{8})</.exec(page)!;
        const answer = await fetch(`${desk.service.apiUrl}/public/till/pairing`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ code, device_name }),
        });
        return ((await answer.json()) as { data: { api_key: string; point_of_sale_id: string } }).data;
      };
      beforeAll(async () => {
        cashier = await signedIn(desk.service.query, desk.service.seed.organizationId, 'cashier');
        const [point] = await desk.service.query<{ id: string }>(
          `INSERT INTO point_of_sale.points_of_sale
           SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'type', 'physical'))).*
           FROM point_of_sale.points_of_sale p WHERE id = $1 RETURNING id`,
          [desk.service.seed.posId],
        );
        path = `/app/points-of-sale/${point!.id}`;
      });

      it('are paired by a code that one page shows once, also by a Cashier', async () => {
        const page = await offer(cashier);

        expect(page).toContain('alt="QR code to pair the phone"');
        expect(await desk.textOf('/app/till/code', cashier)).not.toContain('pairing-code');
        const { point_of_sale_id } = await pair(page, HOSTILE);
        expect(path).toContain(point_of_sale_id);
        const listed = await desk.textOf(path);
        expect(listed).toContain('Test cashier');
        expect(listed).toContain('&lt;script>alert(2)');
        expect(listed).not.toContain('<img src=x');
      });

      it('are listed and revoked on the page of their point of sale, and are no API keys', async () => {
        const { api_key } = await pair(await offer(desk.owner), 'Phone at the bar');
        const device = api_key.slice(-36);
        const revoke = `${path}/tills/${device}/revoke`;
        expect(await desk.textOf('/app/api-keys')).not.toContain('Phone at the bar');
        expect((await desk.get(`/app/api-keys/${device}`)).status).toBe(404);
        expect((await desk.post(`/app/api-keys/${device}/enable`)).status).toBe(404);

        await desk.expectRefusals(path, [revoke]);
        expect((await desk.post(revoke, {}, { cookie: cashier })).status).toBe(403);
        expect(await desk.madeBy(desk.post(revoke))).toBe(path);

        expect(await desk.textOf(path)).not.toContain('Phone at the bar');
        expect(await desk.auditOf(device)).toEqual(['credential.paired', 'credential.revoked']);
      });

      it('are of physical points of sale alone', async () => {
        const { posId } = desk.service.seed;
        const answer = await desk.post('/app/till', { point_of_sale_id: posId });

        expect([answer.status, await answer.text()]).toEqual([
          400,
          expect.stringMatching(/id="point_of_sale_id-problem">must be a physical point of sale/),
        ]);
        expect(await desk.textOf(`/app/points-of-sale/${posId}`)).not.toContain('Tills');
      });

      it('are all that a Cashier sees: no other place, no search', async () => {
        const page = await desk.textOf('/app/till', cashier);

        const leads = [...page.matchAll(/href="(\/app[^"]*)"/g)].map(([, href]) => href);
        expect([...new Set(leads)].sort()).toEqual(['/app', '/app/account', '/app/till']);
        expect(page).not.toContain('role="search"');
        expect((await desk.get('/app', cashier)).headers.get('location')).toBe('/app/till');
        expect((await desk.get(path, cashier)).status).toBe(403);
      });
    });
  });
}
