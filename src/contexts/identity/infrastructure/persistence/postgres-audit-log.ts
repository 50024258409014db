import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { buildInsertSql } from '#shared/platform/database/insert.js';
import { AuditLog, type AuditAction, type AuditEntry } from '../../contract/audit-log.js';

@Injectable()
export class PostgresAuditLog extends AuditLog {
  constructor(private readonly database: Database) {
    super();
  }

  async record(entry: AuditEntry): Promise<void> {
    const { at, actor, action, organizationId, subjectId, before, after, address } = entry;
    const row = { at, actor, action, organizationId, subjectId, before, after, address };
    await this.database.queryInTransaction(...buildInsertSql('identity.audit_log', row));
  }

  async hasEntry(subject: string, action: AuditAction, after: object, since: Date): Promise<boolean> {
    const [row] = await this.database.query<{ found: boolean }>(
      `SELECT EXISTS (SELECT FROM identity.audit_log
         WHERE subject_id = $1 AND action = $2 AND after @> $3 AND at > $4) AS found`,
      [subject, action, after, since],
    );
    return row!.found;
  }
}
