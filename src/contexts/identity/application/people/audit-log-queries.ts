import type { OrganizationId } from '../../../../shared/kernel/ids.js';
import type { Page, PageRequest } from '../../../../shared/kernel/page.js';
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
}
