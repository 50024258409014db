import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DashboardPerson } from '#test/support/dashboard-person.js';
import { AccountBranding } from '#contexts/identity/contract/account-branding.js';
import type { AccountScope } from '#contexts/identity/contract/account-scope-rule.js';
import { MAX_LOGO_BYTES } from '../../domain/branding/logo-file.js';
import { PeopleWorld } from '../../testing/people-world.js';
import { pngWithSize, SAMPLE_LOGOS } from '../../testing/sample-logos.js';

let world: PeopleWorld;
let owner: DashboardPerson;
let account: AccountScope;
let path: string;

beforeAll(async () => {
  world = await PeopleWorld.start();
  ({ person: owner } = await world.createEnrolledPerson());
  const [row] = await world.query<AccountScope>(
    'SELECT organization_id, id AS account_id FROM identity.accounts LIMIT 1',
  );
  account = row!;
  path = `/app/accounts/${account.accountId}/branding`;
});
afterAll(() => world.close());

const branding = (of = account) => world.api.app.get(AccountBranding).brandingOf(of);
const upload = (to: string, bytes: Uint8Array<ArrayBuffer>, name = 'logo', person = owner) => {
  const form = new FormData();
  form.append('tax_id', 'DE2');
  form.append(name, new Blob([bytes]), '../../etc/passwd');
  return person.upload(to, form);
};
const shown = async (answer: Promise<Response>) => {
  const { status, headers } = await answer;
  return [status, headers.get('location')];
};
const problem = async (answer: Response) => [
  answer.status,
  /id="\w+-problem">([^<]*)</.exec(await answer.text())?.[1],
];

describe('The branding of an account', () => {
  it('uses the fields of the account, otherwise those of the organization', async () => {
    expect(await branding()).toEqual({ name: 'Example Shops' });

    const all = {
      display_name: 'Shops Ltd',
      tax_id: 'DE1',
      postal_address: 'Way 1\nBerlin',
      own_colour: 'on',
      colour: '#FFCC00',
      support: 'help@shop.example',
    };
    expect(await shown(owner.post('/app/branding', all))).toEqual([303, '/app/branding?done=changed']);
    const own = { display_name: 'Corner Coffee', tax_id: '', postal_address: '', colour: '#1d4ed8' };
    expect(await shown(owner.post(path, own))).toEqual([303, `${path}?done=changed`]);

    expect(await branding()).toEqual({
      name: 'Corner Coffee',
      taxId: 'DE1',
      postalAddress: 'Way 1\nBerlin',
      colour: '#ffcc00',
      support: 'help@shop.example',
    });
    const page = await owner.text(path);
    expect(page).toContain('value="Corner Coffee"');
    expect(page).toMatch(/<code[^>]*>#ffcc00<\/code> has a contrast of 1.3 and text needs 4\.5/);
  });

  it('includes a public logo at a path with its digest, served only as an image', async () => {
    expect(await shown(upload('/app/branding', SAMPLE_LOGOS.jpeg))).toEqual([
      303,
      '/app/branding?done=changed',
    ]);
    const { logo, taxId } = await branding();
    expect(taxId).toBe('DE2');
    expect(logo).toEqual({ path: expect.stringMatching(/^\/logo\/0[0-9a-f]{64}$/), width: 12, height: 8 });
    expect(await owner.text(path)).toContain(`href="${logo!.path}"`);

    const answer = await fetch(world.api.url + logo!.path);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': 'inline; filename="logo.jpeg"',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect((await answer.bytes()).length).toBeLessThan(SAMPLE_LOGOS.jpeg.length);

    const removed = owner.post('/app/branding', { remove_logo: 'on' });
    expect(await shown(removed)).toEqual([303, '/app/branding?done=changed']);
    const gone = [logo!.path, '/logo/x', `/logo/${'0'.repeat(65)}`];
    for (const each of gone) expect((await fetch(world.api.url + each)).status).toBe(404);
    expect((await branding()).logo).toBeUndefined();
  });

  it('rejects a file that is not a logo, with a message at the field', async () => {
    const script = Buffer.from('<script>alert(1)</script>');
    expect(await problem(await upload(path, script))).toEqual([
      400,
      expect.stringContaining('PNG, JPEG or WebP'),
    ]);
    expect(await problem(await upload(path, Uint8Array.from(pngWithSize(60_000, 60_000))))).toEqual([
      400,
      expect.stringContaining('60000 × 60000'),
    ]);
    for (const bytes of [new Uint8Array(MAX_LOGO_BYTES + 1), new Uint8Array(20_000_000)])
      expect(await problem(await upload(path, bytes))).toEqual([400, 'must be at most 200 kB.']);
    expect(await (await upload(path, new Uint8Array(20_000_000))).text()).toContain('value="DE2"');
    expect((await upload(path, SAMPLE_LOGOS.png, 'other')).status).toBe(400);
    expect((await owner.post(path, { logo: 'x' })).status).toBe(400);
    expect((await branding()).logo).toBeUndefined();
  });

  it('is changed only by an Owner or Admin of its organization', async () => {
    for (const role of ['developer', 'viewer'] as const) {
      const { person } = await world.createEnrolledPerson(role);
      expect((await person.post(path, {})).status).toBe(403);
      expect((await upload(path, SAMPLE_LOGOS.png, 'logo', person)).status).toBe(403);
      expect(await person.text(path)).not.toContain('<form method="post" class="stack"');
    }
    const { organization } = await world.api.createOrganization('Others');
    const { person: stranger } = await world.createEnrolledPerson('owner', organization.id);

    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.post(path, { display_name: 'Mine' })).status).toBe(404);
    expect((await upload(path, SAMPLE_LOGOS.png, 'logo', stranger)).status).toBe(404);
    expect(await branding({ ...account, organizationId: organization.id })).toEqual({ name: 'Others' });
    expect((await branding()).name).toBe('Corner Coffee');
  });

  it('is audited with the digest of the logo', async () => {
    const entries = await world.query<{ subjectId: string; after: { logo_digest: string | null } }>(
      `SELECT subject_id, after FROM identity.audit_log WHERE action = 'branding.changed' ORDER BY position`,
    );

    const { organizationId, accountId } = account;
    expect(entries.map(({ subjectId }) => subjectId)).toEqual([
      organizationId,
      accountId,
      organizationId,
      organizationId,
    ]);
    expect(entries.map(({ after }) => after.logo_digest !== null)).toEqual([false, false, true, false]);
  });
});
