import { invalidField, notFound } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { ChoiceSearch, Choices } from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { scopeOfPathAccount, scopeOfRequestedAccount, type AccountScope } from './account-scope-rule.js';

export abstract class AccountDirectory {
  abstract belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean>;

  /** @throws account_not_allowed */
  narrowScope(scope: TenantScope, named: string): Promise<AccountScope> {
    return scopeOfRequestedAccount(scope, named, (account) => this.belongsTo(account, scope.organizationId));
  }

  /** @throws account_not_allowed */
  async narrowScopeIfGiven(scope: TenantScope, named: string | undefined): Promise<TenantScope> {
    return named === undefined ? scope : this.narrowScope(scope, named);
  }

  /** @throws account_not_allowed if the account is not the credential's, or not in its organization */
  async narrowScopeToPath(scope: TenantScope, named: string): Promise<AccountScope> {
    return scope.accountId === null ? this.narrowScope(scope, named) : scopeOfPathAccount(scope, named);
  }

  /** @throws account_not_allowed, not_found */
  async requireAccountInPath(scope: TenantScope, named: string): Promise<AccountScope> {
    const owner = scopeOfPathAccount(scope, named);
    if (await this.belongsTo(owner.accountId, owner.organizationId)) return owner;
    throw notFound('account');
  }

  /**
   * An account-level credential uses its own account. @throws validation_failed if an organization-level credential
   * names no account; account_not_allowed
   */
  async scopeOfNewResource(scope: TenantScope, named: string | undefined): Promise<AccountScope> {
    const { organizationId, accountId } = scope;
    if (accountId === null) {
      if (named === undefined) throw invalidField('account_id', 'required', 'is required.');
      return this.narrowScope(scope, named);
    }
    return named === undefined ? { organizationId, accountId } : scopeOfPathAccount(scope, named);
  }
}

export interface NamedAccount {
  readonly id: AccountId;
  readonly name: string | null;
}

export abstract class AccountNames {
  abstract searchChoices(
    organizationId: OrganizationId,
    search: ChoiceSearch,
  ): Promise<Choices<NamedAccount>>;
  /** Includes deleted accounts; omits those of other organizations. */
  abstract namesOf(
    organizationId: OrganizationId,
    ids: readonly AccountId[],
  ): Promise<ReadonlyMap<AccountId, string | null>>;
}
