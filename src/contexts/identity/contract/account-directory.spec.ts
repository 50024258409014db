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

describe('The account that a path names', () => {
  it('narrows a list to an account of the organization, or to the credential’s own, in any spelling', async () => {
    const narrowed = { organizationId, accountId: own };

    expect(await directory.narrowToPath(ofOrganization, own.toUpperCase())).toEqual(narrowed);
    expect(await directory.narrowToPath(ofAccount, own.toUpperCase())).toEqual(narrowed);
    expect(await directory.existingInPath(ofOrganization, own.toUpperCase())).toEqual(narrowed);
    expect(await directory.existingInPath(ofAccount, own)).toEqual(narrowed);
  });

  it.each([other, ...strangers])('is refused to a credential of another account: %#', async (named) => {
    await expect(directory.narrowToPath(ofAccount, named)).rejects.toMatchObject({
      code: 'account_not_allowed',
    });
    await expect(directory.existingInPath(ofAccount, named)).rejects.toMatchObject({
      code: 'account_not_allowed',
    });
  });

  it.each(strangers)(
    'is refused to a credential of the organization that has none like it: %#',
    async (named) => {
      await expect(directory.narrowToPath(ofOrganization, named)).rejects.toMatchObject({
        code: 'account_not_allowed',
      });
      await expect(directory.existingInPath(ofOrganization, named)).rejects.toMatchObject({
        code: 'not_found',
      });
    },
  );
});
