import type { AccountId, OrganizationId } from '../../../shared/kernel/ids.js';

/** Answers whose an account is. */
export abstract class AccountDirectory {
  /** @returns false for another organization's account and for one that does not exist */
  abstract belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean>;
}
