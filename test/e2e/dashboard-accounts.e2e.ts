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

describe('Accounts', () => {
  let path: string;

  it('are created by a form, listed, and shown as text whatever they are called', async () => {
    const made = await post('/app/accounts', { name: HOSTILE, external_id: 'store-1' });
    expect(made.status).toBe(303);
    path = locationOf(made).replace(/\?.*/, '');

    for (const page of [await textOf(path), await textOf('/app/accounts')]) {
      expect(page).toContain('&lt;script>alert(2)');
      expect(page).toContain('store-1');
      expect(page).not.toContain('<img src=x');
    }
  });

  it('keep what was typed in a refused form', async () => {
    const taken = await post('/app/accounts', { name: 'Store two', external_id: 'store-1' });
    expect([taken.status, await taken.text()]).toEqual([409, expect.stringContaining('value="Store two"')]);

    const nameless = await post(path, { name: '', external_id: 'store-7' });
    const page = await nameless.text();
    expect([nameless.status, page]).toEqual([400, expect.stringContaining('id="name-problem"')]);
    expect(page).toContain('value="store-7"');
  });

  it('are renamed, which the audit log tells', async () => {
    expect(locationOf(await post(path, { name: 'Berlin', external_id: '' }))).toBe(`${path}?done=changed`);

    expect(await textOf(path)).toContain('<h1>Berlin</h1>');
    const audited = await service.query<{ actor: string }>(
      "SELECT actor FROM identity.audit_log WHERE action = 'account.changed' AND subject_id = $1",
      [path.split('/').pop()],
    );
    expect(audited).toEqual([{ actor: expect.stringContaining('owner-') }]);
  });

  it('are nobody else’s to see or to change', async () => {
    for (const action of ['/app/accounts', path, `${path}/delete`]) {
      expect((await post(action, {}, { cookie: viewer })).status).toBe(403);
      expect((await post(action, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    }
    expect((await get(path, stranger)).status).toBe(404);
    expect((await post(path, { name: 'Mine' }, { cookie: stranger })).status).toBe(404);
    expect((await post(`${path}/delete`, { confirmation: 'Berlin' }, { cookie: stranger })).status).toBe(404);
    expect(await textOf('/app/accounts', stranger)).toContain('No account here');
    expect(await textOf(path, viewer)).not.toContain('Save');
  });

  it('are deleted by their name alone, and say what stands in the way', async () => {
    const wrong = await post(`${path}/delete`, { confirmation: 'Paris' });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('value="Paris"')]);
    const link = { point_of_sale_id: service.seed.posId, amount: '12.50', coin_code: 'USD' };
    expect((await post('/app/links', link)).status).toBe(303);
    const [busy] = await service.query<{ name: string }>('SELECT name FROM identity.accounts WHERE id = $1', [
      service.seed.accountId,
    ]);

    const refused = await post(`/app/accounts/${service.seed.accountId}/delete`, {
      confirmation: busy!.name,
    });
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('1 active payment link (deactivate them)'),
    ]);

    expect(locationOf(await post(`${path}/delete`, { confirmation: 'Berlin' }))).toBe(
      '/app/accounts?done=deleted',
    );
    expect((await get(path)).status).toBe(404);
  });

  it('are listed page by page', async () => {
    await service.query(
      `INSERT INTO identity.accounts (id, organization_id, name, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'Store ' || n, now(), now() FROM generate_series(1, 50) n`,
      [service.seed.organizationId],
    );

    expect(await textOf('/app/accounts')).toMatch(/1–50 of 5\d/);
    expect(await textOf('/app/accounts?page=2')).toMatch(/51–5\d of 5\d/);
  });
});
