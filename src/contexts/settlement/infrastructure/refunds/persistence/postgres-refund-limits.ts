import { Injectable } from '@nestjs/common';
import { newId, type AccountId, type OrganizationId } from '../../../../../shared/kernel/ids.js';
import { Database } from '../../../../../shared/platform/database/database.js';
import { type RefundLimit, RefundLimits } from '../../../domain/refunds/refund-limits.js';

interface LimitRow extends Omit<RefundLimit, 'perDay' | 'automaticBelow'> {
  readonly subjectId: string;
  readonly perDay: string | null;
  readonly automaticBelow: string;
}

const COLUMNS = `organization_id AS "organizationId", account_id AS "accountId", unique_asset_id AS "uniqueAssetId",
  subject_id AS "subjectId", per_day::text AS "perDay", automatic_below::text AS "automaticBelow", set_by AS "setBy",
  updated_at AS "updatedAt"`;

@Injectable()
export class PostgresRefundLimits extends RefundLimits {
  constructor(private readonly database: Database) {
    super();
  }

  async of(account: AccountId, uniqueAssetId: string): Promise<RefundLimit | null> {
    const [row] = await this.database.query<LimitRow>(
      `SELECT ${COLUMNS} FROM settlement.refund_limits WHERE account_id = $1 AND unique_asset_id = $2`,
      [account, uniqueAssetId],
    );
    return row === undefined ? null : limitFrom(row);
  }

  async list(organization: OrganizationId): Promise<RefundLimit[]> {
    const rows = await this.database.query<LimitRow>(
      `SELECT ${COLUMNS} FROM settlement.refund_limits WHERE organization_id = $1 ORDER BY account_id, unique_asset_id`,
      [organization],
    );
    return rows.map(limitFrom);
  }

  async put(limit: RefundLimit): Promise<{ before: RefundLimit | null; subjectId: string }> {
    const [before] = await this.database.write<LimitRow>(
      `SELECT ${COLUMNS} FROM settlement.refund_limits WHERE account_id = $1 AND unique_asset_id = $2 FOR UPDATE`,
      [limit.accountId, limit.uniqueAssetId],
    );
    const [after] = await this.database.write<{ subjectId: string }>(
      `INSERT INTO settlement.refund_limits AS l
         (account_id, unique_asset_id, organization_id, subject_id, per_day, automatic_below, set_by, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (account_id, unique_asset_id) DO UPDATE SET per_day = excluded.per_day,
         automatic_below = excluded.automatic_below, set_by = excluded.set_by, updated_at = excluded.updated_at
       RETURNING subject_id AS "subjectId"`,
      [
        ...[limit.accountId, limit.uniqueAssetId, limit.organizationId, newId()],
        ...[limit.perDay?.toString() ?? null, limit.automaticBelow.toString(), limit.setBy, limit.updatedAt],
      ],
    );
    return { before: before === undefined ? null : limitFrom(before), subjectId: after!.subjectId };
  }
}

function limitFrom({ subjectId: _, ...row }: LimitRow): RefundLimit {
  const { perDay, automaticBelow } = row;
  return {
    ...row,
    perDay: perDay === null ? null : BigInt(perDay),
    automaticBelow: BigInt(automaticBelow),
  };
}
