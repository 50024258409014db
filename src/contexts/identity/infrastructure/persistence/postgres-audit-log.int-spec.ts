import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { type AuditAction, AuditLog } from '#contexts/identity/contract/audit-log.js';
import { ChangeCredential } from '../../application/credentials/change-credential.js';
import { DeleteCredential } from '../../application/credentials/delete-credential.js';
import { SetCredentialEnabled } from '../../application/credentials/set-credential-enabled.js';
import { IdentityApi } from '../../testing/identity-api.js';
import { Credentials } from '../credentials/persistence/credentials.js';
import { identityInvariants } from './identity-invariants.js';

let api: IdentityApi;
beforeAll(async () => void (api = await IdentityApi.start()));
afterAll(() => api.close());

describe('The audit log', () => {
  it('contains each change of a credential with its actor, without secrets', async () => {
    const { organization } = await api.createOrganization();
    const { credential, secret } = await api.createCredential({
      organizationId: organization.id,
      name: 'Till',
    });
    const owned = { organizationId: organization.id, credentialId: credential.id, actor: 'somebody' };
    await api.app
      .get(ChangeCredential)
      .change({ ...owned, roles: ['write'], allowedAddresses: ['2001:db8::1/32'] });
    await api.app.get(SetCredentialEnabled).set({ ...owned, enabled: false });
    await api.app.get(SetCredentialEnabled).set({ ...owned, enabled: false });
    await api.app.get(DeleteCredential).delete(owned);

    const entries = await api.platform.database.query<{
      action: string;
      actor: string;
      before: object;
      after: object | null;
    }>(
      'SELECT action, actor, before, after FROM identity.audit_log WHERE subject_id = $1 ORDER BY position',
      [credential.id],
    );

    expect(entries.map(({ action }) => action)).toEqual([
      'credential.created',
      'credential.changed',
      'credential.disabled',
      'credential.deleted',
    ]);
    expect(entries[1]).toEqual({
      action: 'credential.changed',
      actor: 'somebody',
      before: expect.objectContaining({ roles: ['read', 'write'], allowed_ips: [], name: 'Till' }),
      after: expect.objectContaining({ roles: ['write'], allowed_ips: ['2001:db8::/32'], name: 'Till' }),
    });
    expect(entries[3]?.after).toBeNull();
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it('finds entries of a subject and an action that contain the given fields, after a time', async () => {
    const { organization } = await api.createOrganization('Found');
    const [row] = await api.platform.database.query<{ at: Date }>(
      'SELECT at FROM identity.audit_log WHERE subject_id = $1',
      [organization.id],
    );
    const before = new Date(row!.at.getTime() - 1);
    const has = (subject: string, action: AuditAction, name: string, since = before) =>
      api.app.get(AuditLog).hasEntry(subject, action, { name }, since);

    expect([
      await has(organization.id, 'organization.created', 'Found'),
      await has(newId(), 'organization.created', 'Found'),
      await has(organization.id, 'organization.approved', 'Found'),
      await has(organization.id, 'organization.created', 'Other'),
      await has(organization.id, 'organization.created', 'Found', row!.at),
    ]).toEqual([true, false, false, false, false]);
  });

  it('rejects changes and deletions', async () => {
    await api.createOrganization();

    for (const attempt of ["UPDATE identity.audit_log SET actor = 'x'", 'DELETE FROM identity.audit_log']) {
      await expect(api.platform.database.query(attempt)).rejects.toThrow('append-only');
    }
    await expect(api.platform.database.query('TRUNCATE identity.audit_log')).rejects.toThrow('append-only');
  });
});

describe('The owner of a credential', () => {
  it('is required for changes: another organization’s credential is not found', async () => {
    const { organization } = await api.createOrganization();
    const { organization: other } = await api.createOrganization();
    const { credential } = await api.createCredential({ organizationId: organization.id });
    const foreign = { organizationId: other.id, credentialId: credential.id, actor: 'test' };

    await expect(api.app.get(DeleteCredential).delete(foreign)).rejects.toMatchObject({ code: 'not_found' });
    await expect(api.app.get(ChangeCredential).change({ ...foreign, name: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    });
    const second = await api.createCredential({ organizationId: organization.id });
    const listed = async (of: OrganizationId) => {
      const { items, total } = await api.app.get(Credentials).list(of, { page: 1, pageSize: 10 });
      return [total, ...items.map(({ id }) => id)];
    };
    expect([await listed(other.id), await listed(organization.id)]).toEqual([
      [0],
      [2, credential.id, second.credential.id],
    ]);
  });

  it('is the organization of its account', async () => {
    const { organization } = await api.createOrganization();
    const { account } = await api.createOrganization();
    const foreign = { organizationId: organization.id, accountId: account.id };
    await expect(api.createCredential(foreign)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is checked by the invariants, each of which notices a breach', async () => {
    const { database } = api.platform;
    const breaches = async () => {
      const counts: number[] = [];
      for (const { breaches: sql } of identityInvariants) counts.push((await database.query(sql)).length);
      return counts;
    };
    expect(await breaches()).toEqual([0, 0, 0, 0, 0]);

    const { organization } = await api.createOrganization();
    const { account } = await api.createOrganization();
    const issued = await api.createCredential({ organizationId: organization.id });
    await expect(
      database.run(async () => {
        await database.queryInTransaction(
          'ALTER TABLE identity.credentials DROP CONSTRAINT credentials_organization_id_account_id_fkey',
        );
        await database.queryInTransaction(
          'ALTER TABLE identity.credentials DROP CONSTRAINT credentials_roles_check',
        );
        await database.queryInTransaction(
          `UPDATE identity.credentials SET account_id = $1, roles = '{admin}' WHERE id = $2`,
          [account.id, issued.credential.id],
        );
        await database.queryInTransaction('UPDATE identity.accounts SET deleted_at = now() WHERE id = $1', [
          account.id,
        ]);
        await database.queryInTransaction(
          `INSERT INTO identity.organizations (id, name, created_at, updated_at)
           VALUES (gen_random_uuid(), 'Empty', now(), now())`,
        );
        await database.queryInTransaction(
          `INSERT INTO identity.credentials (id, key_id, secret_digest, organization_id, name, roles, created_at, updated_at)
           SELECT id, 'svc.dev.' || id, $1, $2, 'Smuggled', '{read}', now(), now() FROM (SELECT gen_random_uuid() AS id) new`,
          [Buffer.alloc(32), organization.id],
        );
        expect(await breaches()).toEqual([2, 1, 1, 1, 1]);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
  });
});
