import type { AccountId, OrganizationId } from './ids.js';

/** Every repository and query requires a scope, so that access checks cannot be forgotten. */
export interface TenantScope {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId | null;
}
