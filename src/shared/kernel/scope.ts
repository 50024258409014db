import type { AccountId, OrganizationId } from './ids.js';

/**
 * The records that a caller may access: all records of an organization or, if `accountId` is set, of one account. Every
 * repository and query requires a scope, so that access checks cannot be forgotten.
 */
export interface Scope {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId | null;
}
