import type { AccountId, OrganizationId } from './ids.js';

/**
 * An actor may touch the records of one organization, and of these only one account's where `accountId` is set. Every
 * repository and query demands a scope, so that ownership cannot be forgotten.
 */
export interface Scope {
  readonly organizationId: OrganizationId;
  /** `null`: all accounts of the organization. */
  readonly accountId: AccountId | null;
}
