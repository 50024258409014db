import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { eventually } from '#test/support/eventually.js';
import { ChangeBranding } from '#contexts/identity/application/change-branding.js';
import { ApproveOrganization } from '#contexts/identity/application/accounts/approve-organization.js';
import { ChangeMerchantAccount } from '#contexts/identity/application/accounts/change-merchant-account.js';
import { CreateMerchantAccount } from '#contexts/identity/application/accounts/create-merchant-account.js';
import { DeleteMerchantAccount } from '#contexts/identity/application/accounts/delete-merchant-account.js';
import { MAX_CHOICES } from '#shared/kernel/page.js';
import { newId } from '#shared/kernel/ids.js';
import { PostgresAccountNames, MerchantAccounts } from '../persistence/merchant-accounts.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { AccountBranding } from '#contexts/identity/contract/account-branding.js';
import { MerchantAccountDeletionBlockers } from '#contexts/identity/contract/merchant-account-deletion-blockers.js';
import { IdentityApi, type ApiAnswer } from '#contexts/identity/testing/identity-api.js';
import { NOTHING_OPEN, type FixedAccountBusiness } from '#contexts/identity/testing/identity-api.js';

const BY = { actor: 'test' };
const MISSING = '0193b2f4-0000-7000-8000-00000000dead';

let api: IdentityApi;
let organizationId: OrganizationId;
let accountId: AccountId;
let whole: Record<string, string>;
let ofAccount: Record<string, string>;
let ofStranger: Record<string, string>;
let strangerAccount: AccountId;

beforeAll(async () => {
  api = await IdentityApi.start();
  const home = await api.createOrganization();
  organizationId = home.organization.id;
  accountId = home.account.id;
  const stranger = await api.createOrganization('Stranger');
  strangerAccount = stranger.account.id;
  whole = await api.headers(await api.createCredential({ organizationId }));
  ofAccount = await api.headers(await api.createCredential({ organizationId, accountId }));
  ofStranger = await api.headers(await api.createCredential({ organizationId: stranger.organization.id }));
});
afterAll(() => api.close());

const create = (body: object, headers = whole) => api.call('POST', '/v1/account', headers, body);
const change = (id: string, body: object, headers = whole) =>
  api.call('PUT', `/v1/account/${id}`, headers, body);
const read = (id: string, headers = whole) => api.call('GET', `/v1/account/${id}`, headers);
const shown = ({ status, body }: ApiAnswer) => [status, body.code, body['message']];
const accountOf = ({ body }: ApiAnswer) => body.data as unknown as { id: string; [field: string]: unknown };

describe('The organization', () => {
  it('is read by each of its keys, and only by them', async () => {
    const read = async (headers: Record<string, string>) => {
      const { body } = await api.call('GET', '/v1/organization', headers);
      return body.data as unknown as { id: string };
    };

    expect(await read(whole)).toEqual({
      id: organizationId,
      name: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await read(ofAccount)).toEqual(await read(whole));
    expect((await read(ofStranger)).id).not.toBe(organizationId);
  });
});

describe('The creation of an account', () => {
  it('returns the account as it is read and listed', async () => {
    const created = await create({ name: ' Berlin ', external_id: 'store-berlin' });

    const { id } = accountOf(created);
    expect(created).toMatchObject({
      status: 200,
      body: { data: { name: 'Berlin', external_id: 'store-berlin' } },
    });
    expect(accountOf(await read(id.toUpperCase()))).toEqual(accountOf(created));
    const { body } = await api.call('GET', '/v1/account?page_size=100', whole);
    expect((body.data as unknown as { data: object[] }).data).toContainEqual(accountOf(created));
  });

  it('accepts each external id once in an organization, also concurrently', async () => {
    const [first, ...others] = await Promise.all(
      Array.from({ length: 8 }, () => create({ name: 'Paris', external_id: 'store-paris' })),
    );
    const statuses = [first!, ...others].map(({ status }) => status).sort();

    expect(statuses).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    const refused = [first!, ...others].find(({ status }) => status === 409)!;
    expect(shown(refused)).toEqual([
      409,
      'state_conflict',
      expect.stringMatching(/^external_id: .*store-paris/),
    ]);
    expect((await create({ name: 'Paris', external_id: 'store-paris' }, ofStranger)).status).toBe(200);
  });

  it('happens once for an idempotency key', async () => {
    const keyed = { ...whole, 'idempotency-key': 'store-lyon' };
    const first = await create({ name: 'Lyon' }, keyed);

    const again = await create({ name: 'Lyon' }, keyed);
    const other = await create({ name: 'Nice' }, keyed);

    expect([again.status, accountOf(again)]).toEqual([200, accountOf(first)]);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    const count = `SELECT FROM identity.accounts WHERE organization_id = $1 AND name IN ('Lyon', 'Nice')`;
    expect(await api.platform.database.query(count, [organizationId])).toHaveLength(1);
  });

  it.each([
    ['name', {}],
    ['name', { name: 'x'.repeat(201) }],
    ['external_id', { name: 'x', external_id: 'x'.repeat(129) }],
    ['organization_id', { name: 'x', organization_id: MISSING }],
  ])('is rejected if a field is invalid: %s', async (field, body) => {
    expect((await create(body)).body).toMatchObject({ errors: [{ field }] });
  });
});

describe('A change of an account', () => {
  it('replaces name and external id; an omitted external id is removed', async () => {
    const { id } = accountOf(await create({ name: 'Bern', external_id: 'bern' }));

    const changed = accountOf(await change(id, { name: 'Berne' }));
    const kept = await change(id, { name: 'Berne', external_id: 'bern' });
    const again = await change(id, { name: 'Berne', external_id: 'bern' });

    expect(changed).toEqual(expect.not.objectContaining({ external_id: expect.anything() }));
    expect([kept.status, again.status]).toEqual([200, 200]);
    expect(accountOf(await read(id))).toMatchObject({ name: 'Berne', external_id: 'bern' });
  });
});

describe('The underpayment tolerance of an account', () => {
  it('is set, replaced and removed, each time with an audit entry', async () => {
    const body = (underpayment_tolerance?: object) => ({ name: 'Oslo', underpayment_tolerance });
    const created = accountOf(await create(body({ basis_points: 100, at_most: '2.50' })));
    const replaced = { basis_points: 50, at_most: '1', currency: 'NOK' };
    const after = [];
    for (const next of [body(replaced), body({ basis_points: 0 }), { name: 'Oslo' }])
      after.push(accountOf(await change(created.id, next))['underpayment_tolerance']);
    const refused = await create(body({ basis_points: 501, at_most: '1' }));

    expect(created['underpayment_tolerance']).toEqual({ basis_points: 100, at_most: '2.5' });
    expect(after).toEqual([replaced, undefined, undefined]);
    expect(refused.body).toMatchObject({ errors: [{ field: 'underpayment_tolerance.basis_points' }] });
    const entries = await api.platform.database.query<{ after: { underpayment_tolerance: unknown } }>(
      'SELECT after FROM identity.audit_log WHERE subject_id = $1 ORDER BY position',
      [created.id],
    );
    expect(entries.map((entry) => entry.after.underpayment_tolerance)).toEqual([
      { basisPoints: 100, atMost: '2.5' },
      { basisPoints: 50, atMost: '1', currency: 'NOK' },
      ...[null, null],
    ]);
  });
});

describe('An account in a path', () => {
  it('is rejected for a credential of another account', async () => {
    expect(shown(await read(strangerAccount, ofAccount))).toEqual([
      ...[403, 'account_not_allowed', expect.any(String)],
    ]);
    expect(accountOf(await read(accountId, ofAccount)).id).toBe(accountId);
  });
});

describe('The deletion of an account', () => {
  const remove = (id: string, headers = whole) => api.call('DELETE', `/v1/account/${id}`, headers);
  const business = () =>
    api.app.get<FixedAccountBusiness>(MerchantAccountDeletionBlockers, { strict: false });
  afterEach(() => void (business().open = NOTHING_OPEN));

  it('makes it unknown and revokes its credentials immediately, each with an audit entry', async () => {
    const { id } = accountOf(await create({ name: 'Closing', external_id: 'closing' }));
    const issued = await api.createCredential({ organizationId, accountId: id as AccountId });
    const headers = await api.headers(issued);
    expect((await read(id, headers)).status).toBe(200);

    const deleted = await remove(id);

    expect([deleted.status, deleted.body.data]).toEqual([200, { id }]);
    const missing = shown(await read(MISSING));
    expect([shown(await read(id)), shown(await remove(id)), shown(await change(id, { name: 'x' }))]).toEqual([
      missing,
      missing,
      missing,
    ]);
    expect((await read(id, headers)).body.code).toBe('credentials_invalid');
    expect((await api.exchange(issued.credential.keyId, issued.secret)).body.code).toBe(
      'credentials_invalid',
    );
    const { body } = await api.call('GET', '/v1/account?page_size=100', whole);
    expect(JSON.stringify(body.data)).not.toContain(id);
    await expect(api.createCredential({ organizationId, accountId: id as AccountId })).rejects.toMatchObject({
      code: 'not_found',
    });
    const entries = await api.platform.database.query(
      `SELECT actor, address, action, after FROM identity.audit_log
       WHERE subject_id = ANY ($1) AND action LIKE '%.deleted' ORDER BY action`,
      [[id, issued.credential.id]],
    );
    const asked = { actor: whole['x-service-api-key'], address: '127.0.0.1', after: null };
    expect(entries).toEqual([
      { ...asked, action: 'account.deleted' },
      { ...asked, action: 'credential.deleted' },
    ]);
  });

  it('is rejected while anything is open, with a message that names it', async () => {
    const { id } = accountOf(await create({ name: 'Busy' }));
    business().open = { ...NOTHING_OPEN, openPaymentRequests: 2, unsettledAssets: ['npolygon_t0x1'] };

    expect(shown(await remove(id))).toEqual([
      409,
      'state_conflict',
      'The account cannot be deleted yet: 2 open payment requests (wait until they end); ' +
        'unsettled funds in npolygon_t0x1.',
    ]);
    expect((await read(id)).status).toBe(200);
  });

  it('waits for a transaction that holds the account', async () => {
    const { id } = accountOf(await create({ name: 'Held' }));
    let isOver = false;
    const { deleting } = await api.app.get(UnitOfWork).run(async () => {
      await api.app
        .get(MerchantAccounts)
        .lockMerchantAccountRow({ organizationId, accountId: id as AccountId });
      const answer = remove(id).finally(() => (isOver = true));
      await eventually(
        () =>
          api.platform.database.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          ),
        ({ length }) => isOver || length > 0,
      );
      expect(isOver).toBe(false);
      return { deleting: answer };
    });
    expect((await deleting).status).toBe(200);
  });

  it('leaves one account if all are deleted concurrently', async () => {
    const { organization, account } = await api.createOrganization('Small');
    const headers = await api.headers(await api.createCredential({ organizationId: organization.id }));
    const others = await Promise.all([1, 2, 3].map((n) => create({ name: `Branch ${n}` }, headers)));
    const ids = [account.id, ...others.map((other) => accountOf(other).id)];

    const answers = await Promise.all(ids.map((id) => remove(id, headers)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body['message']).toContain('no other account');
  });
});

describe('The list of accounts', () => {
  it('contains the accounts of the organization, or the account of the credential', async () => {
    const { organization, account } = await api.createOrganization('Two');
    const second = await api.app
      .get(CreateMerchantAccount)
      .create({ organizationId: organization.id, name: 'Berlin', externalId: 'b-1', actor: 'test' });
    const whole = await api.headers(await api.createCredential({ organizationId: organization.id }));
    const own = await api.headers(
      await api.createCredential({ organizationId: organization.id, accountId: account.id }),
    );

    const all = await api.call('GET', '/v1/account', whole);
    const lastPage = await api.call('GET', '/v1/account?page=2&page_size=1', whole);
    const { next } = (await api.call('GET', '/v1/account?page_size=1', whole)).body.data as { next?: string };
    const behind = await api.call('GET', `/v1/account?page_size=1&after=${next}`, whole);
    const mine = await api.call('GET', '/v1/account', own);

    expect(all.body.data).toMatchObject({
      data: [
        { id: account.id, name: 'Two' },
        { id: second.id, name: 'Berlin', external_id: 'b-1' },
      ],
      ...{ total: 2, page: 1, page_size: 50, total_pages: 1 },
    });
    expect(lastPage.body.data).toMatchObject({
      data: [{ id: second.id }],
      total: 2,
      page: 2,
      total_pages: 2,
    });
    expect(behind.body.data).toEqual({ ...(lastPage.body.data as object), page: 1 });
    expect(mine.body.data).toMatchObject({ data: [{ id: account.id }], total: 1 });
  });
});

describe('The external id of a deleted account', () => {
  it('stays reserved for new and changed accounts', async () => {
    const { organization, account } = await api.createOrganization();
    const { id: organizationId } = organization;
    const add = (externalId: string) =>
      api.app.get(CreateMerchantAccount).create({ organizationId, name: 'Berlin', externalId, ...BY });
    const scope = { organizationId, accountId: null };
    const { id } = await add('b-1');
    await api.app.get(DeleteMerchantAccount).delete({ scope, account: id, ...BY });

    const changed = { scope, account: account.id, name: 'Shop', externalId: 'b-1', ...BY };
    const taken = { code: 'state_conflict', message: expect.stringContaining('which may have been deleted') };
    await expect(add('b-1')).rejects.toMatchObject(taken);
    await expect(api.app.get(ChangeMerchantAccount).change(changed)).rejects.toMatchObject(taken);
    const names = new PostgresAccountNames(api.platform.database);
    expect((await names.searchChoices(organizationId, {})).items.map(({ id: each }) => each)).toEqual([
      account.id,
    ]);
    expect((await names.namesOf(organizationId, [id])).get(id)).toBe('Berlin');
  });
});

describe('The approval of an organization', () => {
  it('requires a support contact from then on, and keeps its first time and audit entry', async () => {
    const { organization } = await api.createOrganization();
    const approve = () =>
      api.app.get(ApproveOrganization).approve({ organizationId: organization.id, ...BY });
    const required = { errors: [expect.objectContaining({ field: 'support', rule: 'required' })] };
    await expect(approve()).rejects.toMatchObject(required);
    const owner = { organizationId: organization.id, accountId: null };
    const changeSupport = (support: string) =>
      api.app.get(ChangeBranding).change({ owner, texts: { support }, ...BY });
    await changeSupport('help@shop.example');
    const { approvedAt } = await approve();
    await expect(changeSupport('')).rejects.toMatchObject(required);
    await api.platform.advance(60);

    expect((await approve()).approvedAt).toEqual(approvedAt);
    const audited = `SELECT FROM identity.audit_log WHERE action = 'organization.approved' AND subject_id = $1`;
    expect(await api.platform.database.query(audited, [organization.id])).toHaveLength(1);
  });

  it('lets an account replace each field of the branding, and remove its own support contact', async () => {
    const { organization, account } = await api.createOrganization();
    const owner = { organizationId: organization.id, accountId: account.id };
    const change = (texts: object, accountId: AccountId | null = account.id) =>
      api.app.get(ChangeBranding).change({ owner: { ...owner, accountId }, texts, ...BY });
    const brandingOf = () => api.app.get(AccountBranding).brandingOf(owner);
    const whole = { displayName: 'Shops', taxId: 'DE1', postalAddress: 'Way 1', colour: '#ffcc00' };
    const own = { displayName: 'Till', taxId: 'DE2', postalAddress: 'Way 2', colour: '#000000' };
    await change({ ...whole, support: 'help@shop.example' }, null);
    await api.app.get(ApproveOrganization).approve({ organizationId: organization.id, ...BY });

    await change({ ...own, support: 'till@shop.example' });
    const { name, ...replaced } = await brandingOf();
    await change({ ...own, support: '' });

    expect({ ...replaced, displayName: name }).toEqual({ ...own, support: 'till@shop.example' });
    expect((await brandingOf()).support).toBe('help@shop.example');
  });
});

/** Creates an organization with this number of accounts. */
async function organizationOf(accounts: number) {
  const organizationId = newId<OrganizationId>();
  const found = await api.platform.database.query<{ id: string }>(
    `WITH made AS (INSERT INTO identity.organizations (id, name, created_at, updated_at)
       VALUES ($1, 'Example Shops', now(), now()))
     INSERT INTO identity.accounts (id, organization_id, name, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'Branch ' || n, now(), now() FROM generate_series(1, $2::int) n RETURNING id`,
    [organizationId, accounts],
  );
  return { organizationId, accountIds: found.map(({ id }) => id) };
}

describe('The choice of an account', () => {
  it('offers all accounts if they are few, and otherwise searches them by name or id', async () => {
    const names = new PostgresAccountNames(api.platform.database);
    const [few, many] = [await organizationOf(2), await organizationOf(MAX_CHOICES + 1)];
    const offered = async ({ organizationId }: typeof few, typed?: string) =>
      (await names.searchChoices(organizationId, { typed })).total;

    expect(await offered(few, few.accountIds[0]!.toUpperCase())).toBe(2);
    expect(await offered(few, 'BRANCH 2')).toBe(1);
    expect(await offered(few, newId())).toBe(0);
    expect(await offered(many)).toBe(MAX_CHOICES + 1);
    expect(await offered(many, many.accountIds[0])).toBe(1);
    const ids = [...few.accountIds, ...many.accountIds] as AccountId[];
    expect([...(await names.namesOf(few.organizationId, ids)).keys()].sort()).toEqual(
      few.accountIds.toSorted(),
    );
  });

  it('keeps a stable order of accounts with the same name', async () => {
    const { organizationId, accountIds } = await organizationOf(MAX_CHOICES);
    await api.platform.database.query('UPDATE identity.accounts SET name = $2 WHERE organization_id = $1', [
      organizationId,
      'Branch',
    ]);

    const { items } = await new PostgresAccountNames(api.platform.database).searchChoices(organizationId, {
      typed: accountIds[0]!,
    });

    expect(items.map(({ id }) => id)).toEqual(accountIds.toSorted());
  });
});
