import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApproveOrganization } from '#contexts/identity/application/accounts/approve-organization.js';
import { ChangeAccount } from '#contexts/identity/application/accounts/change-account.js';
import { CreateAccount } from '#contexts/identity/application/accounts/create-account.js';
import { DeleteAccount } from '#contexts/identity/application/accounts/delete-account.js';
import { IdentityApi } from '#contexts/identity/testing/identity-api.js';

const BY = { actor: 'test' };

let api: IdentityApi;
beforeAll(async () => void (api = await IdentityApi.start()));
afterAll(() => api.close());

describe('The external id of a deleted account', () => {
  it('stays taken for new accounts and for others that are changed', async () => {
    const { organization, account } = await api.organization();
    const organizationId = organization.id;
    const create = (externalId: string) =>
      api.app.get(CreateAccount).execute({ organizationId, name: 'Berlin', externalId, ...BY });
    const scope = { organizationId, accountId: null };
    const { id } = await create('b-1');
    await api.app.get(DeleteAccount).execute({ scope, account: id, ...BY });

    const change = { scope, account: account.id, name: 'Shop', externalId: 'b-1', ...BY };
    const taken = { code: 'state_conflict', message: expect.stringContaining('which may have been deleted') };
    await expect(create('b-1')).rejects.toMatchObject(taken);
    await expect(api.app.get(ChangeAccount).execute(change)).rejects.toMatchObject(taken);
  });
});

describe('The approval of an organization', () => {
  it('keeps its first time and audit entry when it is repeated', async () => {
    const { organization } = await api.organization();
    const approve = () =>
      api.app.get(ApproveOrganization).execute({ organizationId: organization.id, ...BY });
    const { approvedAt } = await approve();
    await api.platform.advance(60);

    expect((await approve()).approvedAt).toEqual(approvedAt);
    const audited = `SELECT FROM identity.audit_log WHERE action = 'organization.approved' AND subject_id = $1`;
    expect(await api.platform.database.query(audited, [organization.id])).toHaveLength(1);
  });
});
