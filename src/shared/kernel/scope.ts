import type { AccountId, OrganizationId } from './ids.js';

/**
 * Whose records an actor may touch: one organization's, and of these one account's where `accountId` is set.
 * Every repository and query demands it, so that ownership cannot be forgotten.
 */
export interface Scope {
  readonly organizationId: OrganizationId;
  /** `null`: all accounts of the organization. */
  readonly accountId: AccountId | null;
}
