import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountId, OrganizationId } from '../../../../shared/kernel/ids.js';
import { IdentityApi, type ApiAnswer } from '../../testing/identity-api.js';

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
const told = ({ status, body }: ApiAnswer) => [status, body.code, body['message']];
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
    expect(told(refused)).toEqual([
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
    const after = { name: 'Roma', external_id: 'roma' };
    const before = { name: 'Rome', external_id: null };
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

    expect(told(refused)).toEqual([409, 'state_conflict', expect.stringMatching(/^external_id: /)]);
    expect(accountOf(await read(id))).not.toHaveProperty('external_id');
  });
});

describe('An account in a path', () => {
  it('is missing to an organization alike, whether another one has it or nobody', async () => {
    const missing = told(await read(MISSING));

    expect(missing).toEqual([404, 'not_found', expect.any(String)]);
    for (const id of [strangerAccount, 'no-id', '%20'])
      expect([id, told(await read(id)), told(await change(id, { name: 'x' }))]).toEqual([
        id,
        missing,
        missing,
      ]);
  });

  it('may be a credential’s own alone where that is of one account, existing or not', async () => {
    const { id: sibling } = accountOf(await create({ name: 'Sibling' }));
    const refused = told(await read(MISSING, ofAccount));

    expect(refused).toEqual([403, 'account_not_allowed', expect.any(String)]);
    for (const id of [sibling, strangerAccount, 'no-id'])
      expect(told(await read(id, ofAccount))).toEqual(refused);
    expect(accountOf(await read(accountId, ofAccount)).id).toBe(accountId);
    expect((await change(accountId, { name: 'Mine' }, ofAccount)).body.code).toBe(
      'organization_scope_required',
    );
    expect((await create({ name: 'Mine' }, ofAccount)).body.code).toBe('organization_scope_required');
  });
});
