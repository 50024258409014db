import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { AuditResults, type AuditResult } from '#contexts/payments/contract/audit-results.js';

@Injectable()
export class PostgresAuditResults extends AuditResults {
  constructor(private readonly database: Database) {
    super();
  }

  async latest(): Promise<AuditResult[]> {
    return this.database.query<AuditResult>(
      `SELECT DISTINCT ON (network, ended_at IS NULL) network, began_at, ended_at,
         block_number AS block, addresses, transfers, tokens, jsonb_array_length(findings) AS findings
       FROM payments.chain_audits ORDER BY network, ended_at IS NULL, began_at DESC`,
    );
  }
}
