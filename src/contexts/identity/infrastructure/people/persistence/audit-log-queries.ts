import { Injectable } from '@nestjs/common';
import type { CollaboratorId, OrganizationId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { Database } from '#shared/platform/database/database.js';
import { pageFrom, type PageRow } from '#shared/platform/database/rows.js';
import type { AuditEntry } from '#contexts/identity/contract/audit-log.js';

export interface RecordedAuditEntry extends Omit<AuditEntry, 'organizationId' | 'address' | 'action'> {
  readonly action: string;
  readonly position: string;
  readonly address: string | null;
}

@Injectable()
export class AuditLogQueries {
  constructor(private readonly database: Database) {}

  async list(owner: OrganizationId, { page, pageSize }: PageRequest): Promise<Page<RecordedAuditEntry>> {
    const rows = await this.database.queryReplica<PageRow<RecordedAuditEntry & { id: string }>>(
      `SELECT all_of_them.total, e.*
       FROM (SELECT count(*)::int AS total FROM identity.audit_log WHERE organization_id = $1) all_of_them
       LEFT JOIN (
         SELECT position::text AS id, position::text, at, actor, action, subject_id, before, after, address
         FROM identity.audit_log WHERE organization_id = $1 ORDER BY identity.audit_log.position DESC LIMIT $2 OFFSET $3
       ) e ON true
       ORDER BY e.position::bigint DESC`,
      [owner, pageSize, (page - 1) * pageSize],
    );
    return pageFrom(rows);
  }

  /** @param noun start of the action, such as `sign_in` */
  newestEntriesOf(person: CollaboratorId, noun: string, limit: number): Promise<RecordedAuditEntry[]> {
    return this.database.query<RecordedAuditEntry>(
      `SELECT position::text, at, actor, action, subject_id, before, after, address
       FROM identity.audit_log WHERE subject_id = $1 AND starts_with(action, $2)
       ORDER BY identity.audit_log.position DESC LIMIT $3`,
      [person, `${noun}.`, limit],
    );
  }
}
