import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { AuditResults, type AuditResult } from '#contexts/payments/contract/audit-results.js';

@Injectable()
export class PostgresAuditResults extends AuditResults {
  constructor(private readonly database: Database) {
    super();
  }

  async latest(): Promise<AuditResult[]> {
    const rows = await this.database.query<Omit<AuditResult, 'block'> & { block: string }>(
      `SELECT DISTINCT ON (network, ended_at IS NULL) network, began_at AS "beganAt", ended_at AS "endedAt",
         block_number AS block, addresses, transfers, tokens, jsonb_array_length(findings) AS findings
       FROM payments.chain_audits ORDER BY network, ended_at IS NULL, began_at DESC`,
    );
    return rows.map(({ block, ...row }) => ({ ...row, block: Number(block) }));
  }
}
