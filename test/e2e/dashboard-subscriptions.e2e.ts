import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OWN_FORM, signedIn } from '../support/dashboard-session.js';
import { startTestService, type TestService } from '../support/service.js';

const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>';

let service: TestService;
let owner: string;
let viewer: string;
let stranger: string;
beforeAll(async () => {
  service = await startTestService();
  const { organizationId } = service.seed;
  const [other] = await service.query<{ id: string }>(
    `INSERT INTO identity.organizations SELECT (jsonb_populate_record(o, jsonb_build_object('id', $2::text, 'name', 'Other'))).*
     FROM identity.organizations o WHERE id = $1 RETURNING id`,
    [organizationId, randomUUID()],
  );
  [owner, viewer, stranger] = await Promise.all([
    signedIn(service.query, organizationId, 'owner'),
    signedIn(service.query, organizationId, 'viewer'),
    signedIn(service.query, other!.id, 'owner'),
  ]);
});
afterAll(() => service?.stop());

const get = (path: string, cookie = owner) =>
  fetch(`${service.apiUrl}${path}`, { headers: { cookie }, redirect: 'manual' });
const textOf = async (path: string, cookie = owner) => (await get(path, cookie)).text();
const post = (path: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(`${service.apiUrl}${path}`, {
    method: 'POST',
    headers: { ...OWN_FORM, cookie: owner, ...headers },
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
const locationOf = ({ headers }: Response) => headers.get('location')!;
const offer = () => ({
  point_of_sale_id: service.seed.posId,
  unique_asset_id: service.assets[0]!.unique_asset_id,
  ...{ amount: '12.50', interval: 'P1M', reference_id: HOSTILE, trial_until: '', ends_at: '' },
});

describe('Subscriptions', () => {
  let path: string;

  it('begin with none, and are offered by a form', async () => {
    expect(await textOf('/app/subscriptions')).toContain('No subscription yet');
    expect(await textOf('/app/subscriptions/new')).toContain(service.assets[0]!.unique_asset_id);
    const made = await post('/app/subscriptions', offer());
    expect([made.status, made.status === 303 ? '' : await made.text()]).toEqual([303, '']);
    path = locationOf(made).replace(/\?.*/, '');

    for (const page of [await textOf(path), await textOf('/app/subscriptions')]) {
      expect(page).toContain('12.5 ');
      expect(page).toContain('each month');
      expect(page).toContain('&lt;script>alert(2)');
      expect(page).not.toContain('<img src=x');
    }
    expect(await textOf(path)).toMatch(/id="payer-url"[^>]*>http[^<]+\/subscription\//);
  });

  it('keep what was typed in a refused form', async () => {
    const answer = await post('/app/subscriptions', { ...offer(), amount: '-1', ends_at: '2001-01-01' });

    const page = await answer.text();
    expect([answer.status, page]).toEqual([400, expect.stringContaining('id="amount-problem"')]);
    expect(page).toContain('value="-1"');
    expect(page).toContain('value="2001-01-01"');
    const late = await post('/app/subscriptions', { ...offer(), ends_at: '2001-01-01' });
    expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('id="ends_at-problem"')]);
  });

  it('are nobody else’s to see or to change', async () => {
    for (const action of ['/app/subscriptions', `${path}/revoke`]) {
      expect((await post(action, {}, { cookie: viewer })).status).toBe(403);
      expect((await post(action, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    }
    expect((await get(path, stranger)).status).toBe(404);
    expect((await post(`${path}/revoke`, { confirmation: 'revoke' }, { cookie: stranger })).status).toBe(404);
    expect(await textOf('/app/subscriptions', stranger)).toContain('No subscription yet');
    expect(await textOf(path, viewer)).not.toContain('Revoke');
  });

  it('are revoked by the word alone', async () => {
    const wrong = await post(`${path}/revoke`, { confirmation: 'stop' });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('value="stop"')]);

    expect(locationOf(await post(`${path}/revoke`, { confirmation: 'revoke' }))).toBe(`${path}?done=revoked`);

    const page = await textOf(path);
    expect(page).toContain('Revoked');
    expect(page).not.toContain('Revoke the subscription');
  });

  it('are listed by status, page by page', async () => {
    await service.query(
      `INSERT INTO subscriptions.subscriptions
       SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'status', 'expired', 'revoked_by', NULL,
         'code', 'code-of-test-of-pa-' || n))).*
       FROM subscriptions.subscriptions s, generate_series(100, 149) n`,
    );

    expect(await textOf('/app/subscriptions')).toContain('1–50 of 51');
    expect(await textOf('/app/subscriptions?page=2')).toContain('51–51 of 51');
    expect(await textOf('/app/subscriptions?status=revoked')).toContain('1–1 of 1');
    expect(await textOf('/app/subscriptions?status=active')).toContain('No subscription has this status');
  });

  it('show their charges', async () => {
    const id = path.split('/').pop();
    await service.query(
      `INSERT INTO subscriptions.charges
         (id, subscription_id, organization_id, account_id, number, due_at, closes_at, status, next_try, counted_tries)
       SELECT gen_random_uuid(), id, organization_id, account_id, 0, '2030-01-31Z', '2030-02-28Z', 'open', 0, 0
       FROM subscriptions.subscriptions WHERE id = $1`,
      [id],
    );

    expect(await textOf(path)).toContain('2030-01-31 00:00:00 UTC');
  });
});
