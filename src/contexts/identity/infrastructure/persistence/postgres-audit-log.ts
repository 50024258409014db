import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { AuditLog, type AuditEntry } from '../../contract/audit-log.js';

@Injectable()
export class PostgresAuditLog extends AuditLog {
  constructor(private readonly database: Database) {
    super();
  }

  async record(entry: AuditEntry): Promise<void> {
    await this.database.queryInTransaction(
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

  async has(subject: string, action: string, after: object, since: Date): Promise<boolean> {
    const [row] = await this.database.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM identity.audit_log
         WHERE subject_id = $1 AND action = $2 AND after @> $3 AND at > $4) AS found`,
      [subject, action, after, since],
    );
    return row!.found;
  }
}
