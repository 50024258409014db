import { describe, expect, it } from '@jest/globals';
import { DashboardDesk, HOSTILE } from '../../support/dashboard-desk.js';
import type { SharedService } from '../../support/shared-service.js';

let desk: DashboardDesk;

const locationOf = ({ headers }: Response) => headers.get('location')!;

export function accountsSuite(shared: SharedService): void {
  describe('Accounts in the dashboard', () => {
    desk = new DashboardDesk(shared);

    describe('Accounts', () => {
      let path: string;

      it('are created by a form, listed, and shown as text whatever they are called', async () => {
        const made = await desk.post('/app/accounts', { name: HOSTILE, external_id: 'store-1' });
        expect(made.status).toBe(303);
        path = locationOf(made).replace(/\?.*/, '');

        for (const page of [await desk.textOf(path), await desk.textOf('/app/accounts')]) {
          expect(page).toContain('&lt;script>alert(2)');
          expect(page).toContain('store-1');
          expect(page).not.toContain('<img src=x');
        }
      });

      it('keep what was typed in a refused form', async () => {
        const taken = await desk.post('/app/accounts', { name: 'Store two', external_id: 'store-1' });
        expect([taken.status, await taken.text()]).toEqual([
          409,
          expect.stringContaining('value="Store two"'),
        ]);

        const nameless = await desk.post(path, { name: '', external_id: 'store-7' });
        const page = await nameless.text();
        expect([nameless.status, page]).toEqual([400, expect.stringContaining('id="name-problem"')]);
        expect(page).toContain('value="store-7"');
      });

      it('are renamed, which the audit log tells', async () => {
        expect(locationOf(await desk.post(path, { name: 'Berlin', external_id: '' }))).toBe(
          `${path}?done=changed`,
        );

        expect(await desk.textOf(path)).toContain('<h1>Berlin</h1>');
        const audited = await desk.service.query<{ actor: string }>(
          "SELECT actor FROM identity.audit_log WHERE action = 'account.changed' AND subject_id = $1",
          [path.split('/').pop()],
        );
        expect(audited).toEqual([{ actor: expect.stringContaining('owner-') }]);
      });

      it('accept a shortfall, which the page says; a refusal stands beside its field', async () => {
        const named = { name: 'Berlin', external_id: '' };
        const unbounded = await desk.post(path, { ...named, basis_points: '50', at_most: '' });
        const page = await unbounded.text();
        expect([unbounded.status, page]).toEqual([400, expect.stringContaining('id="at_most-problem"')]);
        expect(page).toContain('value="50"');

        expect((await desk.post(path, { ...named, basis_points: '50', at_most: '0.50' })).status).toBe(303);

        expect(await desk.textOf(path)).toContain('50 basis points of the price, at most 0.5');
        expect((await desk.post(path, named)).status).toBe(303);
        expect(await desk.textOf(path)).not.toContain('basis points of the price, at most');
      });

      it('are nobody else’s to see or to change', async () => {
        await desk.expectRefusals(path, ['/app/accounts', path, `${path}/delete`]);
        expect((await desk.post(path, { name: 'Mine' }, { cookie: desk.stranger })).status).toBe(404);
        expect(
          (await desk.post(`${path}/delete`, { confirmation: 'Berlin' }, { cookie: desk.stranger })).status,
        ).toBe(404);
        expect(await desk.textOf('/app/accounts', desk.stranger)).toContain('1–1 of 1');
        expect(await desk.textOf('/app/accounts', desk.stranger)).not.toContain(path);
        expect(await desk.textOf(path, desk.viewer)).not.toContain('Save');
      });

      it('are deleted by their name alone, and say what stands in the way', async () => {
        const wrong = await desk.post(`${path}/delete`, { confirmation: 'Paris' });
        expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('value="Paris"')]);
        const link = { point_of_sale_id: desk.service.seed.posId, amount: '12.50', coin_code: 'USD' };
        expect((await desk.post('/app/links', link)).status).toBe(303);
        const [busy] = await desk.service.query<{ name: string }>(
          'SELECT name FROM identity.accounts WHERE id = $1',
          [desk.service.seed.accountId],
        );

        const before = await desk.textOf(`/app/accounts/${desk.service.seed.accountId}`);
        expect(before).toContain('1 active payment link (deactivate them)');
        expect(before).not.toContain('Delete account');

        const refused = await desk.post(`/app/accounts/${desk.service.seed.accountId}/delete`, {
          confirmation: busy!.name,
        });
        expect([refused.status, await refused.text()]).toEqual([
          409,
          expect.stringContaining('1 active payment link (deactivate them)'),
        ]);

        expect(locationOf(await desk.post(`${path}/delete`, { confirmation: 'Berlin' }))).toBe(
          '/app/accounts?done=deleted',
        );
        expect((await desk.get(path)).status).toBe(404);
      });

      it('are listed page by page', async () => {
        await desk.service.query(
          `INSERT INTO identity.accounts (id, organization_id, name, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'Store ' || n, now(), now() FROM generate_series(1, 50) n`,
          [desk.service.seed.organizationId],
        );

        expect(await desk.textOf('/app/accounts')).toMatch(/1–15 of 5\d/);
        expect(await desk.textOf('/app/accounts?page=4')).toMatch(/46–5\d of 5\d/);
      });
    });
  });
}
