import type { AccountId, OrganizationId } from '../../../shared/kernel/ids.js';
import type { Page, PageRequest } from '../../../shared/kernel/page.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { AccountDirectory } from '../contract/account-directory.js';

export interface Account {
  readonly id: AccountId;
  readonly organizationId: OrganizationId;
  /** The merchant's own name for it, unique in the organization. */
  readonly externalId: string | null;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export abstract class Accounts extends AccountDirectory {
  /** Refuses to run outside a unit of work. @throws state_conflict where the organization has that external id already */
  abstract add(account: Account): Promise<void>;
  /** Oldest first; an account's own scope sees that one. */
  abstract list(scope: Scope, page: PageRequest): Promise<Page<Account>>;
}
