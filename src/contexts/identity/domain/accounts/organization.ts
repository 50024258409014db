import type { OrganizationId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';

export interface Organization {
  readonly id: OrganizationId;
  readonly name: string;
  /** When the operator approved it for production; null if not approved. */
  readonly approvedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export abstract class Organizations {
  /** Requires a unit of work. */
  abstract add(organization: Organization): Promise<void>;
  /** Locks the row until the unit of work ends. @throws not_found */
  abstract lock(id: OrganizationId): Promise<Organization>;
  abstract approve(id: OrganizationId, at: Date): Promise<void>;
  /** Locks the row until the unit of work ends. @returns the previous time zone @throws not_found */
  abstract setTimeZone(id: OrganizationId, timeZone: string, at: Date): Promise<string>;
  /** All tenants, oldest first. Only the operator calls this. */
  abstract list(page: PageRequest): Promise<Page<Organization>>;
}
