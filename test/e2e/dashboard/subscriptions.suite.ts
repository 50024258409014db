import { describe, expect, it } from '@jest/globals';
import { DashboardDesk, HOSTILE } from '../../support/dashboard-desk.js';
import type { SharedService } from '../../support/shared-service.js';

let desk: DashboardDesk;

const locationOf = ({ headers }: Response) => headers.get('location')!;
const offer = () => ({
  point_of_sale_id: desk.service.seed.posId,
  unique_asset_id: desk.service.assets[0]!.unique_asset_id,
  ...{ amount: '12.50', interval: 'P1M', reference_id: HOSTILE, trial_until: '', ends_at: '' },
});

export function subscriptionsSuite(shared: SharedService): void {
  describe('Subscriptions in the dashboard', () => {
    desk = new DashboardDesk(shared);

    describe('Subscriptions', () => {
      let path: string;

      it('begin with none, and are offered by a form', async () => {
        expect(await desk.textOf('/app/subscriptions')).toContain('No subscriptions yet');
        expect(await desk.textOf('/app/subscriptions/new')).toContain(
          desk.service.assets[0]!.unique_asset_id,
        );
        const made = await desk.post('/app/subscriptions', offer());
        expect([made.status, made.status === 303 ? '' : await made.text()]).toEqual([303, '']);
        path = locationOf(made).replace(/\?.*/, '');

        for (const page of [await desk.textOf(path), await desk.textOf('/app/subscriptions')]) {
          expect(page).toContain('12.50<bdi>');
          expect(page).toContain('monthly');
          expect(page).toContain('&lt;script>alert(2)');
          expect(page).not.toContain('<img src=x');
        }
        expect(await desk.textOf(path)).toMatch(/id="payer-url"[^>]*>http[^<]+\/subscription\//);
      });

      it('keep what was typed in a refused form', async () => {
        const answer = await desk.post('/app/subscriptions', {
          ...offer(),
          amount: '-1',
          ends_at: '2001-01-01',
        });

        const page = await answer.text();
        expect([answer.status, page]).toEqual([400, expect.stringContaining('id="amount-problem"')]);
        expect(page).toContain('value="-1"');
        expect(page).toContain('value="2001-01-01"');
        const late = await desk.post('/app/subscriptions', { ...offer(), ends_at: '2001-01-01' });
        expect([late.status, await late.text()]).toEqual([
          400,
          expect.stringContaining('id="ends_at-problem"'),
        ]);
      });

      it('are nobody else’s to see or to change', async () => {
        await desk.expectRefusals(path, ['/app/subscriptions', `${path}/revoke`]);
        expect(
          (await desk.post(`${path}/revoke`, { confirmation: 'revoke' }, { cookie: desk.stranger })).status,
        ).toBe(404);
        expect(await desk.textOf('/app/subscriptions', desk.stranger)).toContain('No subscriptions yet');
        expect(await desk.textOf(path, desk.viewer)).not.toContain('Revoke');
      });

      it('are revoked by the word alone', async () => {
        const wrong = await desk.post(`${path}/revoke`, { confirmation: 'stop' });
        expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('value="stop"')]);

        expect(locationOf(await desk.post(`${path}/revoke`, { confirmation: 'revoke' }))).toBe(
          `${path}?done=revoked`,
        );

        const page = await desk.textOf(path);
        expect(page).toContain('Revoked');
        expect(page).not.toContain('Revoke subscription');
        await desk.post(`${path}/revoke`, { confirmation: 'revoke' });
        expect(await desk.auditOf(path)).toEqual(['subscription.offered', 'subscription.revoked']);
      });

      it('are listed by status, page by page', async () => {
        await desk.service.query(
          `INSERT INTO subscriptions.subscriptions
       SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'status', 'expired', 'revoked_by', NULL,
         'code', 'code-of-test-of-pa-' || n))).*
       FROM subscriptions.subscriptions s, generate_series(100, 149) n WHERE organization_id = $1`,
          [desk.service.seed.organizationId],
        );

        expect(await desk.textOf('/app/subscriptions')).toContain('1–15 of 51');
        expect(await desk.textOf('/app/subscriptions?page=4')).toContain('46–51 of 51');
        expect(await desk.textOf('/app/subscriptions?status=revoked')).toContain('1–1 of 1');
        expect(await desk.textOf('/app/subscriptions?status=active')).toContain(
          'No subscriptions with this status',
        );
      });

      it('show their charges', async () => {
        const id = path.split('/').pop();
        await desk.service.query(
          `INSERT INTO subscriptions.charges
         (id, subscription_id, organization_id, account_id, number, due_at, closes_at, status, next_try, counted_tries)
       SELECT gen_random_uuid(), id, organization_id, account_id, 0, '2030-01-31Z', '2030-02-28Z', 'open', 0, 0
       FROM subscriptions.subscriptions WHERE id = $1`,
          [id],
        );

        expect(await desk.textOf(path)).toContain('2030-01-31 00:00:00 UTC');
      });
    });
  });
}
