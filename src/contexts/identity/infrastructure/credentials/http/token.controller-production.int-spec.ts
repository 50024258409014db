import { describe, expect, it } from '@jest/globals';
import { ApproveOrganization } from '#contexts/identity/application/accounts/approve-organization.js';
import { IdentityApi } from '#contexts/identity/testing/identity-api.js';

describe('A production credential', () => {
  it('waits for the approval of its organization', async () => {
    const production = await IdentityApi.start('production');
    const { organization } = await production.organization();
    const create = () => production.credential({ organizationId: organization.id });
    await expect(create()).rejects.toMatchObject({ code: 'organization_not_approved' });

    await production.app.get(ApproveOrganization).execute({ organizationId: organization.id, actor: 'test' });

    expect((await create()).credential.keyId).toMatch(/^svc\.prd\./);
    await production.close();
  });
});
