import { invalidField, notFound } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { ChoiceSearch, Choices } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { accountInPath, scopeOfNamedAccount, type AccountScope } from './account-scope-rule.js';

/** Answers which organization an account belongs to. */
export abstract class AccountDirectory {
  /** @returns false for another organization's account and for one that does not exist */
  abstract belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean>;

  /** The scope of one account that a caller names. @throws account_not_allowed */
  narrow(scope: Scope, named: string): Promise<AccountScope> {
    return scopeOfNamedAccount(scope, named, (account) => this.belongsTo(account, scope.organizationId));
  }

  /** The caller's own scope, or that of the one account that it names. @throws account_not_allowed */
  async narrowIfNamed(scope: Scope, named: string | undefined): Promise<Scope> {
    return named === undefined ? scope : this.narrow(scope, named);
  }

  /**
   * The scope of the account that a path names, for a list of what it has.
   * @throws account_not_allowed for any account but the caller's own, or its organization's, existing or not
   */
  async narrowToPath(scope: Scope, named: string): Promise<AccountScope> {
    return scope.accountId === null ? this.narrow(scope, named) : accountInPath(scope, named);
  }

  /** The scope of the account that a path names, which exists. @throws account_not_allowed, not_found */
  async existingInPath(scope: Scope, named: string): Promise<AccountScope> {
    const owner = accountInPath(scope, named);
    if (await this.belongsTo(owner.accountId, owner.organizationId)) return owner;
    throw notFound('account');
  }

  /**
   * The account that something new belongs to: the credential's own where it is of one account, else the one it names.
   * @throws validation_failed where an organization's credential names none; account_not_allowed
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

/** Names of accounts, for lists to choose from. */
export abstract class AccountNames {
  /** To choose from, without deleted ones; found by a part of their name; one statement. */
  abstract choices(organizationId: OrganizationId, search: ChoiceSearch): Promise<Choices<NamedAccount>>;
  /** Names also deleted accounts; leaves out other organizations'. */
  abstract namesOf(
    organizationId: OrganizationId,
    ids: readonly AccountId[],
  ): Promise<ReadonlyMap<AccountId, string | null>>;
}
