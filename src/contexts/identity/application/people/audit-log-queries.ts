import type { CollaboratorId, OrganizationId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { AuditEntry } from '../../contract/audit-log.js';

/** An entry as it is read again. */
export interface RecordedAuditEntry extends Omit<AuditEntry, 'organizationId' | 'address'> {
  /** Ascends with time. */
  readonly position: string;
  /** Null for the operator. */
  readonly address: string | null;
}

export abstract class AuditLogQueries {
  /** Newest first. */
  abstract list(owner: OrganizationId, page: PageRequest): Promise<Page<RecordedAuditEntry>>;
  /** The newest of a person's own, by the beginning of their action. */
  abstract newestOf(person: CollaboratorId, noun: string, limit: number): Promise<RecordedAuditEntry[]>;
  /** Whether there is an entry with these values since then. */
  abstract has(subject: string, action: string, after: object, since: Date): Promise<boolean>;
}
