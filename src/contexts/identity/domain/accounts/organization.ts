import type { OrganizationId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';

export interface Organization {
  readonly id: OrganizationId;
  readonly name: string;
  /** The operator approved it for production then; null: not yet. */
  readonly approvedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export abstract class Organizations {
  /** Refuses to run outside a unit of work. */
  abstract add(organization: Organization): Promise<void>;
  /** Row-locked until the unit of work ends. @throws not_found */
  abstract lock(id: OrganizationId): Promise<Organization>;
  abstract approve(id: OrganizationId, at: Date): Promise<void>;
  /** Row-locked until the unit of work ends. @returns the zone before @throws not_found */
  abstract setTimeZone(id: OrganizationId, timeZone: string, at: Date): Promise<string>;
  /** Organizations of all tenants, oldest first; only the operator calls it. */
  abstract list(page: PageRequest): Promise<Page<Organization>>;
}
