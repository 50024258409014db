import { describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { AccountDirectory } from './account-directory.js';

const organizationId = newId<OrganizationId>();
const [own, other] = [newId<AccountId>(), newId<AccountId>()];

class TwoAccounts extends AccountDirectory {
  override async belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean> {
    return organization === organizationId && [own, other].includes(account);
  }
}

const directory = new TwoAccounts();
const ofOrganization = { organizationId, accountId: null };
const ofAccount = { organizationId, accountId: own };
const strangers = [newId<AccountId>(), 'no-id'];

describe('The account in a path', () => {
  it('narrows the scope to an account of the organization, or of the credential, in any case', async () => {
    const narrowed = { organizationId, accountId: own };

    expect(await directory.narrowScopeToPath(ofOrganization, own.toUpperCase())).toEqual(narrowed);
    expect(await directory.narrowScopeToPath(ofAccount, own.toUpperCase())).toEqual(narrowed);
    expect(await directory.requireAccountInPath(ofOrganization, own.toUpperCase())).toEqual(narrowed);
    expect(await directory.requireAccountInPath(ofAccount, own)).toEqual(narrowed);
  });

  it.each([other, ...strangers])('is rejected for a credential of another account: %#', async (named) => {
    await expect(directory.narrowScopeToPath(ofAccount, named)).rejects.toMatchObject({
      code: 'account_not_allowed',
    });
    await expect(directory.requireAccountInPath(ofAccount, named)).rejects.toMatchObject({
      code: 'account_not_allowed',
    });
  });

  it.each(strangers)('is rejected if the organization has no such account: %#', async (named) => {
    await expect(directory.narrowScopeToPath(ofOrganization, named)).rejects.toMatchObject({
      code: 'account_not_allowed',
    });
    await expect(directory.requireAccountInPath(ofOrganization, named)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
