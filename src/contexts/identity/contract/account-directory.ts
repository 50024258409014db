import { invalidField, notFound } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { ChoiceSearch, Choices } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { accountInPath, scopeOfNamedAccount, type AccountScope } from './account-scope-rule.js';

export abstract class AccountDirectory {
  abstract belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean>;

  /** @throws account_not_allowed */
  narrow(scope: Scope, named: string): Promise<AccountScope> {
    return scopeOfNamedAccount(scope, named, (account) => this.belongsTo(account, scope.organizationId));
  }

  /** @throws account_not_allowed */
  async narrowIfNamed(scope: Scope, named: string | undefined): Promise<Scope> {
    return named === undefined ? scope : this.narrow(scope, named);
  }

  /** @throws account_not_allowed if the account is not the credential's, or not in its organization */
  async narrowToPath(scope: Scope, named: string): Promise<AccountScope> {
    return scope.accountId === null ? this.narrow(scope, named) : accountInPath(scope, named);
  }

  /** @throws account_not_allowed, not_found */
  async requireAccountInPath(scope: Scope, named: string): Promise<AccountScope> {
    const owner = accountInPath(scope, named);
    if (await this.belongsTo(owner.accountId, owner.organizationId)) return owner;
    throw notFound('account');
  }

  /**
   * An account-level credential uses its own account. @throws validation_failed if an organization-level credential
   * names no account; account_not_allowed
   */
  async ownerOfNew(scope: Scope, named: string | undefined): Promise<AccountScope> {
    const { organizationId, accountId } = scope;
    if (accountId === null) {
      if (named === undefined) throw invalidField('account_id', 'required', 'is required.');
      return this.narrow(scope, named);
    }
    return named === undefined ? { organizationId, accountId } : accountInPath(scope, named);
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
