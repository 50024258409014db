import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { AccountBusiness } from '#contexts/identity/contract/account-business.js';
import { IdentityApi, type ApiAnswer } from '#contexts/identity/testing/identity-api.js';
import { NOTHING_OPEN, type FixedBusiness } from '#contexts/identity/testing/fixed-business.js';

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
  const home = await api.organization();
  organizationId = home.organization.id;
  accountId = home.account.id;
  const stranger = await api.organization('Stranger');
  strangerAccount = stranger.account.id;
  whole = await api.headers(await api.credential({ organizationId }));
  ofAccount = await api.headers(await api.credential({ organizationId, accountId }));
  ofStranger = await api.headers(await api.credential({ organizationId: stranger.organization.id }));
});
afterAll(() => api.close());

const create = (body: object, headers = whole) => api.call('POST', '/v1/account', headers, body);
const change = (id: string, body: object, headers = whole) =>
  api.call('PUT', `/v1/account/${id}`, headers, body);
const read = (id: string, headers = whole) => api.call('GET', `/v1/account/${id}`, headers);
const shown = ({ status, body }: ApiAnswer) => [status, body.code, body['message']];
const accountOf = ({ body }: ApiAnswer) => body.data as unknown as { id: string; [field: string]: unknown };

describe('Creating an account', () => {
  it('answers it as it can be read and listed from then on', async () => {
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

  it('takes each external id once in an organization, whoever asks first', async () => {
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

  it('is done once under an idempotency key', async () => {
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
    ['name', { name: '  ' }],
    ['name', { name: 'x'.repeat(201) }],
    ['external_id', { name: 'x', external_id: '' }],
    ['external_id', { name: 'x', external_id: 'x'.repeat(129) }],
    ['organization_id', { name: 'x', organization_id: MISSING }],
  ])('is refused for a bad %s', async (field, body) => {
    expect((await create(body)).body).toMatchObject({ errors: [{ field }] });
  });

  it('is written to the audit log with who asked, and from where', async () => {
    const { id } = accountOf(await create({ name: 'Rome' }));
    await change(id, { name: 'Roma', external_id: 'roma' });

    const entries = await api.platform.database.query(
      'SELECT action, actor, address, before, after FROM identity.audit_log WHERE subject_id = $1 ORDER BY position',
      [id],
    );

    const asked = { actor: whole['x-service-api-key'], address: '127.0.0.1' };
    const after = { name: 'Roma', external_id: 'roma', underpayment_tolerance: null };
    const before = { name: 'Rome', external_id: null, underpayment_tolerance: null };
    expect(entries).toEqual([
      { ...asked, action: 'account.created', before: null, after: before },
      { ...asked, action: 'account.changed', before, after },
    ]);
  });
});

describe('Changing an account', () => {
  it('replaces name and external id; what is left out is none any more', async () => {
    const { id } = accountOf(await create({ name: 'Bern', external_id: 'bern' }));

    const changed = accountOf(await change(id, { name: 'Berne' }));
    const kept = await change(id, { name: 'Berne', external_id: 'bern' });
    const again = await change(id, { name: 'Berne', external_id: 'bern' });

    expect(changed).toEqual(expect.not.objectContaining({ external_id: expect.anything() }));
    expect([kept.status, again.status]).toEqual([200, 200]);
    expect(accountOf(await read(id))).toMatchObject({ name: 'Berne', external_id: 'bern' });
  });

  it('refuses an external id that another account has', async () => {
    await create({ name: 'Oslo', external_id: 'oslo' });
    const { id } = accountOf(await create({ name: 'Bergen' }));

    const refused = await change(id, { name: 'Bergen', external_id: 'oslo' });

    expect(shown(refused)).toEqual([409, 'state_conflict', expect.stringMatching(/^external_id: /)]);
    expect(accountOf(await read(id))).not.toHaveProperty('external_id');
  });
});

describe('An account in a path', () => {
  it('is missing to an organization alike, whether another one has it or nobody', async () => {
    const missing = shown(await read(MISSING));

    expect(missing).toEqual([404, 'not_found', expect.any(String)]);
    for (const id of [strangerAccount, 'no-id', '%20'])
      expect([id, shown(await read(id)), shown(await change(id, { name: 'x' }))]).toEqual([
        id,
        missing,
        missing,
      ]);
  });

  it('may be a credential’s own alone where that is of one account, existing or not', async () => {
    const { id: sibling } = accountOf(await create({ name: 'Sibling' }));
    const refused = shown(await read(MISSING, ofAccount));

    expect(refused).toEqual([403, 'account_not_allowed', expect.any(String)]);
    for (const id of [sibling, strangerAccount, 'no-id'])
      expect(shown(await read(id, ofAccount))).toEqual(refused);
    expect(accountOf(await read(accountId, ofAccount)).id).toBe(accountId);
    expect((await change(accountId, { name: 'Mine' }, ofAccount)).body.code).toBe(
      'organization_scope_required',
    );
    expect((await create({ name: 'Mine' }, ofAccount)).body.code).toBe('organization_scope_required');
  });
});

describe('Deleting an account', () => {
  const remove = (id: string, headers = whole) => api.call('DELETE', `/v1/account/${id}`, headers);
  const business = () => api.app.get<FixedBusiness>(AccountBusiness, { strict: false });
  afterEach(() => void (business().open = NOTHING_OPEN));

  it('makes it a missing one, and ends its credentials at once, each with an entry in the audit log', async () => {
    const { id } = accountOf(await create({ name: 'Closing', external_id: 'closing' }));
    const issued = await api.credential({ organizationId, accountId: id as AccountId });
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
    await expect(api.credential({ organizationId, accountId: id as AccountId })).rejects.toMatchObject({
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

  it('keeps its external id: history names the account by it', async () => {
    const { id } = accountOf(await create({ name: 'Closing', external_id: 'once' }));
    await remove(id);

    expect(shown(await create({ name: 'New', external_id: 'once' }))[1]).toBe('state_conflict');
  });

  it('is refused while anything is open, by a sentence that names all of it', async () => {
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

  it('leaves an organization one account, also where all are deleted at once', async () => {
    const { organization, account } = await api.organization('Small');
    const headers = await api.headers(await api.credential({ organizationId: organization.id }));
    const others = await Promise.all([1, 2, 3].map((n) => create({ name: `Branch ${n}` }, headers)));
    const ids = [account.id, ...others.map((other) => accountOf(other).id)];

    const answers = await Promise.all(ids.map((id) => remove(id, headers)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body['message']).toContain('no other account');
  });

  it('is for the organization alone, and of its own accounts', async () => {
    expect((await remove(accountId, ofAccount)).body.code).toBe('organization_scope_required');
    expect(shown(await remove(strangerAccount))).toEqual(shown(await read(MISSING)));
  });
});
