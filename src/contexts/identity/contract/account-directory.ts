import type { AccountId, OrganizationId } from '../../../shared/kernel/ids.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { scopeOfNamedAccount, type AccountScope } from './account-scope-rule.js';

/** Answers whose an account is. */
export abstract class AccountDirectory {
  /** @returns false for another organization's account and for one that does not exist */
  abstract belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean>;

  /** The scope of one account that a caller names. @throws account_not_allowed */
  narrow(scope: Scope, named: string): Promise<AccountScope> {
    return scopeOfNamedAccount(scope, named, (account) => this.belongsTo(account, scope.organizationId));
  }
}
