import { DomainError } from '../../../shared/kernel/domain-error.js';
import { isUuid, type AccountId, type OrganizationId } from '../../../shared/kernel/ids.js';
import type { Scope } from '../../../shared/kernel/scope.js';

export interface AccountScope extends Scope {
  readonly accountId: AccountId;
}

/** Answers whose an account is. */
export abstract class AccountDirectory {
  /** @returns false for another organization's account and for one that does not exist */
  abstract belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean>;

  /**
   * The scope of one account that a caller names: an account of its organization, and only for who acts for the whole
   * organization. Text that is no id cannot be anybody's account, so it is refused like a foreign one.
   * @param named as the caller spelled it; it may be anything
   * @throws account_not_allowed, the same for an account of others and one that does not exist (docs/api/authentication.md, "Scope")
   */
  async narrow({ organizationId, accountId: own }: Scope, named: string): Promise<AccountScope> {
    const accountId = named.toLowerCase() as AccountId;
    const allowed = own === null && isUuid(accountId) && (await this.belongsTo(accountId, organizationId));
    if (allowed) return { organizationId, accountId };
    throw new DomainError(
      'forbidden',
      'account_not_allowed',
      'This credential may not name this account. Only a credential of the whole organization may name accounts, its own.',
    );
  }
}
