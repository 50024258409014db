import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';

/** Knows one account. */
export class DirectoryOf extends AccountDirectory {
  constructor(
    private readonly organization: OrganizationId,
    private readonly account: AccountId,
  ) {
    super();
  }

  async belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean> {
    return account === this.account && organization === this.organization;
  }
}
