import type { AccountId, OrganizationId } from '../../../shared/kernel/ids.js';

export interface Account {
  readonly id: AccountId;
  readonly organizationId: OrganizationId;
  /** The merchant's own name for it, unique in the organization. */
  readonly externalId: string | null;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
