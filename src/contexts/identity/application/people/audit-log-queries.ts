import type { CollaboratorId, OrganizationId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { AuditEntry } from '../../contract/audit-log.js';

/** An entry as pages show it. */
export interface RecordedAuditEntry extends Omit<AuditEntry, 'organizationId' | 'address'> {
  /** Ascends with time. */
  readonly position: string;
  /** Null for the operator. */
  readonly address: string | null;
}

export abstract class AuditLogQueries {
  /** Newest first. */
  abstract list(owner: OrganizationId, page: PageRequest): Promise<Page<RecordedAuditEntry>>;
  /** The newest entries about a person whose action begins with this noun. */
  abstract newestOf(person: CollaboratorId, noun: string, limit: number): Promise<RecordedAuditEntry[]>;
  /** True where an entry with these values was recorded since then. */
  abstract has(subject: string, action: string, after: object, since: Date): Promise<boolean>;
}
