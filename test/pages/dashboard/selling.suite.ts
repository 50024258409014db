import { beforeAll, describe, expect, it } from '@jest/globals';
import { signedIn } from '../../support/dashboard-session.js';
import { oneTimeSecretStore } from '../../support/shown-once.js';
import { DashboardDesk, HOSTILE } from './dashboard-desk.js';
import type { SharedService } from '../../support/shared-service.js';

let desk: DashboardDesk;

const locationOf = ({ headers }: Response) => headers.get('location');

/** Expects that the form is refused at the field, and shows again what was typed. */
async function expectProblem(path: string, form: Record<string, string>, field: string): Promise<void> {
  const answer = await desk.post(path, form);
  const page = await answer.text();
  expect([answer.status, page]).toEqual([400, expect.stringContaining(`id="${field}-problem"`)]);
  for (const value of Object.values(form).filter((typed) => /^[\w.-]+$/.test(typed)))
    expect(page).toContain(value);
}

/** Expects that no page runs what a merchant has typed. */
async function expectEscaped(...paths: string[]): Promise<void> {
  for (const path of paths) {
    const page = await desk.textOf(path);
    expect(page).toContain('&lt;script>alert(2)');
    expect(page).not.toContain('<img src=x');
  }
}

export function sellingSuite(shared: SharedService): void {
  describe('Selling in the dashboard', () => {
    desk = new DashboardDesk(shared);

    describe('An account', () => {
      let path: string;

      it('is created and changed by forms, with entries in the audit log', async () => {
        path = await desk.madeBy(desk.post('/app/accounts', { name: HOSTILE, external_id: 'store-1' }));
        await expectEscaped(path, '/app/accounts');
        const taken = await desk.post('/app/accounts', { name: 'Store two', external_id: 'store-1' });
        expect([taken.status, await taken.text()]).toEqual([409, expect.stringContaining('"Store two"')]);
        await expectProblem(path, { name: '', external_id: 'store-7' }, 'name');
        await expectProblem(
          path,
          { name: 'Berlin', external_id: '', percent: '0.5', at_most: '' },
          'at_most',
        );

        await expectProblem(path, { name: 'Berlin', percent: '5.01', at_most: '1' }, 'percent');

        const berlin = { name: 'Berlin', external_id: '', percent: '0.5', at_most: '0.50' };
        expect(locationOf(await desk.post(path, berlin))).toBe(`${path}?done=changed`);

        const page = await desk.textOf(path);
        expect(page).toContain('<h1>Berlin</h1>');
        expect(page).toContain('0.5 % of the price, at most 0.5');
        expect(await desk.auditOf(path)).toEqual(['account.created', 'account.changed']);
      });

      it('is hidden from other organizations, and read-only to a Viewer', async () => {
        await desk.expectRefusals(path, ['/app/accounts', path, `${path}/delete`]);
        const theirs = { cookie: desk.stranger };
        expect((await desk.post(path, { name: 'Mine' }, theirs)).status).toBe(404);
        expect((await desk.post(`${path}/delete`, { confirmation: 'Berlin' }, theirs)).status).toBe(404);
        expect(await desk.textOf('/app/accounts', desk.stranger)).not.toContain(path);
        expect(await desk.textOf(path, desk.viewer)).not.toContain('Save');
      });

      it('is deleted by typing its name, unless something is open', async () => {
        const { accountId, posId } = desk.service.seed;
        await expectProblem(`${path}/delete`, { confirmation: 'Paris' }, 'confirmation');
        await desk.madeBy(
          desk.post('/app/links', { point_of_sale_id: posId, amount: '1', coin_code: 'USD' }),
        );
        const busy = await desk.textOf(`/app/accounts/${accountId}`);
        expect(busy).toContain('1 active payment link (deactivate it)');
        expect(busy).not.toContain('Delete account');

        const deleted = await desk.post(`${path}/delete`, { confirmation: 'Berlin' });

        expect(locationOf(deleted)).toBe('/app/accounts?done=deleted');
        expect((await desk.get(path)).status).toBe(404);
      });
    });

    describe('A payment link', () => {
      const link = () => ({
        point_of_sale_id: desk.service.seed.posId,
        ...{ amount: '12.50', coin_code: 'USD', description: HOSTILE },
      });
      let path: string;

      it('is created by a form, and shown with its URL and QR code', async () => {
        await expectProblem('/app/links', { ...link(), amount: '-1', return_url: HOSTILE }, 'amount');
        path = await desk.madeBy(desk.post('/app/links', link()));

        const page = await desk.textOf(`${path}?done=created`);

        await expectEscaped(path, '/app/links');
        expect(await desk.textOf('/app/links/new')).toMatch(
          /<select id="coin_code"[^>]*><option value="USD"/,
        );
        expect(page).toContain('12.50<bdi>\u00a0USD</bdi>');
        expect(page).toMatch(/id="link-url"[^>]*>http[^<]+\/link\//);
        expect(page).toContain('alt="QR code for the link"');
      });

      it('is deactivated and activated, with one audit entry for each change', async () => {
        await Promise.all([1, 2, 3].map(() => desk.post(`${path}/deactivate`)));
        expect(await desk.textOf('/app/links?state=inactive')).toContain(path);
        await desk.post(`${path}/activate`);
        await desk.post(`${path}/activate`);

        expect(await desk.textOf(path)).toContain('Deactivate');
        expect(await desk.auditOf(path)).toEqual([
          ...['payment_link.created', 'payment_link.deactivated', 'payment_link.activated'],
        ]);
      });

      it('is hidden from other organizations, and read-only to a Viewer', async () => {
        await desk.expectRefusals(path, ['/app/links', `${path}/deactivate`, `${path}/activate`]);
        expect(await desk.textOf('/app/links', desk.stranger)).toContain('No payment links yet');
        expect(await desk.textOf(path, desk.viewer)).not.toContain('Deactivate');
        expect((await desk.post(`${path}/deactivate`, {}, { cookie: desk.stranger })).status).toBe(404);
      });
    });

    describe('A point of sale', () => {
      const form = () => ({
        ...{ name: HOSTILE, merchant_name: HOSTILE },
        payment_options: desk.service.assets[0]!.unique_asset_id,
      });
      let path: string;

      it('is created and changed by a form', async () => {
        const account_id = desk.service.seed.accountId;
        path = await desk.madeBy(desk.post('/app/points-of-sale', { ...form(), type: 'online', account_id }));
        await expectEscaped(path, '/app/points-of-sale');
        expect(await desk.textOf(path)).toContain('Current settlement terms');
        await expectProblem(path, { ...form(), name: 'Till 7', merchant_mcc: 'x1' }, 'merchant_mcc');

        await desk.madeBy(desk.post(path, { ...form(), name: 'Till 8', checkout_first: 'code' }));

        const changed = await desk.textOf(path);
        expect(changed).toContain('<h1>Till 8</h1>');
        expect(changed).toMatch(/<option value="code" selected/);
      });

      it('needs only a name, for which the form fills in the rest', async () => {
        const form = await desk.textOf('/app/points-of-sale/new?type=physical');
        const ticked = [...form.matchAll(/<input id="(payment_options[^"]+)"[^>]* checked/g)];
        const account = desk.service.seed.accountId;
        const simple = {
          ...{ name: 'Stand', account_id: account, till_coin_code: 'USD' },
          ...Object.fromEntries(ticked.map(([, name]) => [name!, 'on'])),
        };
        expect(form).toMatch(/<option value="physical" selected/);
        expect(form).toContain('Destination of the money');

        await desk.madeBy(desk.post('/app/points-of-sale', { ...simple, type: 'online' }));
        const physical = await desk.post('/app/points-of-sale', { ...simple, type: 'physical' });

        const page = await desk.textOf(locationOf(physical)!);
        expect(page).toContain('Pair a phone to take payments with it.');
        expect(page).toMatch(/<option value="USD" selected/);
        expect(ticked.length).toBeGreaterThan(0);
      });

      it('has a till and a sheet to print if it is physical', async () => {
        const till = { till_coin_code: 'USD', till_tip_percentages: '5, 10', open_amount: 'on' };
        const described = { ...form(), ...till, till_products: 'Tea = 3.50\nTea & cake = 8' };
        const made = { ...described, type: 'physical', account_id: desk.service.seed.accountId };
        const physical = await desk.madeBy(desk.post('/app/points-of-sale', made));

        const page = await desk.textOf(physical);
        const sheet = await desk.textOf(`${physical}/sheet`);

        expect(page).toContain('Tea &amp; cake = 8</textarea>');
        expect(sheet).toContain('alt="QR code for the till"');
        expect(/id="code-url"[^>]*>([^<]+)/.exec(page)?.[1]).toBe(/class="address">([^<]+)/.exec(sheet)?.[1]);
        const broken = await desk.post(physical, { ...described, till_products: 'Tea = 3.50\nCake 8' });
        expect(await broken.text()).toMatch(/id="till_products-problem">2: must be a decimal/);
        expect((await desk.post(path, described)).status).toBe(400);
        expect((await desk.get(`${path}/sheet`)).status).toBe(404);
        expect((await desk.get(`${physical}/sheet`, desk.stranger)).status).toBe(404);
      });

      it('is found by a part of its name when there are too many for a list', async () => {
        await desk.service.query(
          `INSERT INTO point_of_sale.points_of_sale
           SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'name', 'Kiosk ' || n))).*
           FROM point_of_sale.points_of_sale p, generate_series(1, 60) n WHERE id = $1`,
          [desk.service.seed.posId],
        );
        const link = { amount: '12.50', coin_code: 'USD' };

        expect(await desk.textOf('/app/links/new')).toMatch(/<input id="point_of_sale_id"/);
        const searched = await desk.post('/app/links', { ...link, point_of_sale_id: 'kiosk 41' });

        const [, id] = /<option value="([0-9a-f-]{36})">Kiosk 41 /.exec(await searched.text())!;
        await desk.madeBy(desk.post('/app/links', { ...link, point_of_sale_id: id! }));
      });

      it('is deleted by typing its name', async () => {
        const name = 'Kiosk 1';
        const [row] = await desk.service.query<{ id: string }>(
          'SELECT id FROM point_of_sale.points_of_sale WHERE name = $1',
          [name],
        );
        const kiosk = `/app/points-of-sale/${row!.id}`;
        const refused = await desk.post(`${kiosk}/delete`, { confirmation: 'Kiosk' });
        expect([refused.status, await refused.text()]).toEqual([
          400,
          expect.stringContaining('must be the name of the point of sale: Kiosk 1'),
        ]);

        await desk.madeBy(desk.post(`${kiosk}/delete`, { confirmation: name }));

        expect((await desk.get(kiosk)).status).toBe(404);
      });

      it('is hidden from other organizations, and read-only to a Viewer', async () => {
        await desk.expectRefusals(path, ['/app/points-of-sale', path]);
        expect(await desk.textOf('/app/points-of-sale', desk.stranger)).toContain('No points of sale yet');
        expect(await desk.textOf(path, desk.viewer)).not.toContain('Save');
      });
    });

    describe('A subscription', () => {
      const offer = () => ({
        point_of_sale_id: desk.service.seed.posId,
        unique_asset_id: desk.service.assets[0]!.unique_asset_id,
        ...{ amount: '12.50', interval: 'P1M', reference_id: HOSTILE, trial_until: '', ends_at: '' },
      });
      let path: string;

      it('is offered by a form, and shown with the URL for the payer', async () => {
        await expectProblem('/app/subscriptions', { ...offer(), ends_at: '2001-01-01' }, 'ends_at');
        path = await desk.madeBy(desk.post('/app/subscriptions', offer()));

        await expectEscaped(path, '/app/subscriptions');
        const page = await desk.textOf(path);
        expect(page).toContain('12.50<bdi>');
        expect(page).toContain('monthly');
        expect(page).toMatch(/id="payer-url"[^>]*>http[^<]+\/subscription\//);
      });

      it('is hidden from other organizations, and read-only to a Viewer', async () => {
        await desk.expectRefusals(path, ['/app/subscriptions', `${path}/revoke`]);
        expect((await desk.post(`${path}/revoke`, {}, { cookie: desk.stranger })).status).toBe(404);
        expect(await desk.textOf('/app/subscriptions', desk.stranger)).toContain('No subscriptions yet');
        expect(await desk.textOf(path, desk.viewer)).not.toContain('Revoke');
      });

      it('is revoked by a button on a page that explains it, with one audit entry', async () => {
        expect(await desk.textOf(path)).toContain(`href="${path}/revoke"`);
        expect(await desk.textOf(`${path}/revoke`)).toContain('Stops all future charges');

        for (let times = 0; times < 2; times += 1) await desk.madeBy(desk.post(`${path}/revoke`));

        expect(await desk.textOf(path)).toContain('Revoked');
        expect(await desk.textOf('/app/subscriptions?status=revoked')).toContain('1–1 of 1');
        expect(await desk.auditOf(path)).toEqual(['subscription.offered', 'subscription.revoked']);
      });
    });

    describe('A till', () => {
      let cashier: string;
      let path: string;
      const offer = async (cookie: string) => {
        const form = { point_of_sale_id: path.split('/').pop()! };
        return oneTimeSecretStore(
          desk.service.apiUrl,
          await desk.post('/app/till', form, { cookie }),
          cookie,
        );
      };
      const pair = async (page: string, device_name: string) => {
        const [, code] = /id="pairing-code"[^>]*>([2-9A-Z]{8})</.exec(page)!;
        const { api } = desk.service;
        const paired = { code: code!, device_name };
        return api.post<{ api_key: string; point_of_sale_id: string }>('/public/till/pairing', paired);
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

      it('is paired by a code that is displayed once, also to a Cashier', async () => {
        const page = await offer(cashier);

        expect(page).toContain('alt="QR code to pair the phone"');
        expect(await desk.textOf('/app/till/code', cashier)).not.toContain('pairing-code');
        const { point_of_sale_id } = await pair(page, HOSTILE);
        expect(path).toContain(point_of_sale_id);
        expect(await desk.textOf(path)).toContain('Test cashier');
        await expectEscaped(path);
      });

      it('is revoked on the page of its point of sale, and is no API key', async () => {
        const { api_key } = await pair(await offer(desk.owner), 'Phone at the bar');
        const device = api_key.slice(-36);
        const revoke = `${path}/tills/${device}/revoke`;
        expect(await desk.textOf('/app/api-keys')).not.toContain('Phone at the bar');
        expect((await desk.post(`/app/api-keys/${device}/enable`)).status).toBe(404);
        await desk.expectRefusals(path, [revoke]);
        expect((await desk.post(revoke, {}, { cookie: cashier })).status).toBe(403);

        expect(await desk.madeBy(desk.post(revoke))).toBe(path);

        expect(await desk.textOf(path)).not.toContain('Phone at the bar');
        expect(await desk.auditOf(device)).toEqual(['credential.paired', 'credential.revoked']);
      });

      it('requires a physical point of sale', async () => {
        await expectProblem('/app/till', { point_of_sale_id: desk.service.seed.posId }, 'point_of_sale_id');
      });

      it('is all that a Cashier sees', async () => {
        const page = await desk.textOf('/app/till', cashier);

        const links = [...page.matchAll(/href="(\/app[^"]*)"/g)].map(([, href]) => href);
        expect([...new Set(links)].sort()).toEqual(['/app', '/app/account', '/app/till']);
        expect(page).not.toContain('role="search"');
        expect((await desk.get(path, cashier)).status).toBe(403);
      });
    });
  });
}
