import type { AccountId, OrganizationId } from './ids.js';

/**
 * The records an actor may access: those of one organization or, if `accountId` is set, of one of its accounts. Every
 * repository and query requires a scope, so that ownership checks cannot be forgotten.
 */
export interface Scope {
  readonly organizationId: OrganizationId;
  /** `null`: all accounts of the organization. */
  readonly accountId: AccountId | null;
}
