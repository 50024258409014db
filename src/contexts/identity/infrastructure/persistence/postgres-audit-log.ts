import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { AuditLog, type AuditEntry } from '../../contract/audit-log.js';

@Injectable()
export class PostgresAuditLog extends AuditLog {
  constructor(private readonly database: Database) {
    super();
  }

  async record(entry: AuditEntry): Promise<void> {
    await this.database.write(
      `INSERT INTO identity.audit_log (at, actor, action, organization_id, subject_id, before, after, address)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        entry.at,
        entry.actor,
        entry.action,
        entry.organizationId,
        entry.subjectId,
        entry.before,
        entry.after,
        entry.address ?? null,
      ],
    );
  }
}
