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
afterAll(() => service.stop());

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
/** Where an accepted form leads to, without its notice. */
const madeBy = async (answer: Promise<Response>) => {
  const { status, headers } = await answer;
  expect(status).toBe(303);
  return headers.get('location')!.replace(/\?.*/, '');
};

async function expectRefusals(page: string, actions: readonly string[]): Promise<void> {
  expect((await get(page, stranger)).status).toBe(404);
  for (const action of actions) {
    expect((await post(action, {}, { cookie: viewer })).status).toBe(403);
    expect((await post(action, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  }
}

describe('Payment links', () => {
  const link = () => ({ point_of_sale_id: service.seed.posId, amount: '12.50', coin_code: 'USD' });
  let path: string;

  it('begin with none, and are created by a form', async () => {
    expect(await textOf('/app/links')).toContain('No payment link yet');
    path = await madeBy(post('/app/links', link()));

    const page = await textOf(`${path}?done=created`);

    expect(page).toContain('12.5 USD');
    expect(page).toMatch(/id="link-url"[^>]*>http[^<]+\/link\//);
    expect(page).toContain('alt="QR code of the link"');
  });

  it('keep what was typed in a refused form', async () => {
    const answer = await post('/app/links', { ...link(), amount: '-1', return_url: HOSTILE });

    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain('id="amount-problem"');
    expect(page).toContain('value="-1"');
    expect(page).not.toContain('<img src=x');
  });

  it('are listed by state, page by page', async () => {
    await service.query(
      `INSERT INTO payments.payment_links
       SELECT (jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'code', 'code-of-test-' || n))).*
       FROM payments.payment_links l, generate_series(100, 149) n`,
    );
    await post(`${path}/deactivate`);

    expect(await textOf('/app/links')).toContain('1–50 of 51');
    expect(await textOf('/app/links?state=active')).toContain('1–50 of 50');
    const inactive = await textOf('/app/links?state=inactive');
    expect(inactive).toContain('1–1 of 1');
    expect(inactive).toContain(path);
    expect(await textOf('/app/links?page=2')).toContain('51–51 of 51');
  });

  it('open checkouts again', async () => {
    expect(await textOf(path)).toContain('Inactive');
    await post(`${path}/activate`);
    expect(await textOf(path)).toContain('Deactivate');
  });

  it('are nobody else’s to see or to change', async () => {
    await expectRefusals(path, ['/app/links', `${path}/deactivate`, `${path}/activate`]);
    expect(await textOf('/app/links', stranger)).toContain('No payment link yet');
    expect(await textOf(path, viewer)).not.toContain('Deactivate');
    expect((await post(`${path}/deactivate`, {}, { cookie: stranger })).status).toBe(404);
  });
});

describe('Points of sale', () => {
  const form = async () => {
    const [asset] = service.assets;
    const [point] = await service.query<{ option: string }>(
      'SELECT payment_options[1] AS option FROM point_of_sale.points_of_sale WHERE id = $1',
      [service.seed.posId],
    );
    expect(asset).toBeDefined();
    return { name: HOSTILE, merchant_name: HOSTILE, payment_options: point!.option };
  };
  let path: string;

  it('are created by a form, and shown with their settlement terms', async () => {
    const account_id = service.seed.accountId;
    path = await madeBy(post('/app/points-of-sale', { ...(await form()), type: 'online', account_id }));

    for (const page of [await textOf(path), await textOf('/app/points-of-sale')]) {
      expect(page).toContain('&lt;script>alert(2)');
      expect(page).not.toContain('<img src=x');
    }
    expect(await textOf(path)).toContain('Settlement terms in force');
  });

  it('are changed, and keep what was typed in a refused form', async () => {
    const refused = await post(path, { ...(await form()), name: 'Till 7', merchant_mcc: 'x1' });
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(page).toContain('id="merchant_mcc-problem"');
    expect(page).toContain('value="Till 7"');

    await madeBy(post(path, { ...(await form()), name: 'Till 8' }));
    expect(await textOf(path)).toContain('<h1>Till 8</h1>');
  });

  it('are nobody else’s to see or to change', async () => {
    await expectRefusals(path, ['/app/points-of-sale', path]);
    expect(await textOf('/app/points-of-sale', stranger)).toContain('No point of sale yet');
    expect(await textOf(path, viewer)).not.toContain('Save');
  });
});
