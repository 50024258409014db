import type { OrganizationId } from '../../../shared/kernel/ids.js';

export interface Organization {
  readonly id: OrganizationId;
  readonly name: string;
  /** When the operator approved it for production; null: not yet. */
  readonly approvedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
