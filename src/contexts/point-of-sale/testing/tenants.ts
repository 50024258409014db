import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';

export class AccountsOfTenants extends AccountDirectory {
  constructor(private readonly database: Database) {
    super();
  }

  async belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean> {
    const found = await this.database.query(
      'SELECT FROM identity.public_accounts WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL',
      [account, organization],
    );
    return found.length === 1;
  }
}

export interface Tenant {
  readonly organizationId: OrganizationId;
  readonly accountIds: [AccountId, ...AccountId[]];
}

export async function createTenant(database: Database, accounts = 1): Promise<Tenant> {
  const organizationId = newId<OrganizationId>();
  await database.query(
    `INSERT INTO identity.organizations (id, name, created_at, updated_at) VALUES ($1, 'Example Shops', now(), now())`,
    [organizationId],
  );
  const accountIds: AccountId[] = [];
  for (let number = 1; number <= accounts; number += 1) {
    const id = newId<AccountId>();
    await database.query(
      `INSERT INTO identity.accounts (id, organization_id, name, created_at, updated_at)
       VALUES ($1, $2, 'Branch ' || $3, now(), now())`,
      [id, organizationId, String(number)],
    );
    accountIds.push(id);
  }
  return { organizationId, accountIds: accountIds as [AccountId, ...AccountId[]] };
}
