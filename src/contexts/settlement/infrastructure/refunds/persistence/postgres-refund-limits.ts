import { Injectable } from '@nestjs/common';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import {
  type RefundAllotment,
  type RefundBasis,
  type RefundLimit,
  RefundLimits,
} from '#contexts/settlement/domain/refunds/refund-limits.js';
import type { RefundState } from '#contexts/settlement/domain/refunds/refund.js';
import { isPaidToAccount } from './paid-to-account.sql.js';

interface LimitRow extends Omit<RefundLimit, 'perDay' | 'automaticBelow'> {
  readonly subjectId: string;
  readonly perDay: string | null;
  readonly automaticBelow: string;
}

const COLUMNS = `organization_id, account_id, unique_asset_id,
  subject_id, per_day::text AS per_day, automatic_below::text AS automatic_below, set_by,
  updated_at`;

function basisOf(organization: string): string {
  return `COALESCE((SELECT basis FROM settlement.refund_bases WHERE organization_id = ${organization}), 'topped_up')`;
}

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
       RETURNING subject_id`,
      [
        ...[limit.accountId, limit.uniqueAssetId, limit.organizationId, newId()],
        ...[limit.perDay?.toString() ?? null, limit.automaticBelow.toString(), limit.setBy, limit.updatedAt],
      ],
    );
    return { before: before === undefined ? null : limitFrom(before), subjectId: after!.subjectId };
  }

  async basis(organization: OrganizationId): Promise<RefundBasis> {
    const [row] = await this.database.query<{ basis: RefundBasis }>(`SELECT ${basisOf('$1')} AS basis`, [
      organization,
    ]);
    return row!.basis;
  }

  async putBasis(
    organization: OrganizationId,
    basis: RefundBasis,
    setBy: string,
    at: Date,
  ): Promise<RefundBasis> {
    const before = await this.basis(organization);
    await this.database.write(
      `INSERT INTO settlement.refund_bases (organization_id, basis, set_by, updated_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (organization_id) DO UPDATE SET basis = excluded.basis, set_by = excluded.set_by,
         updated_at = excluded.updated_at`,
      [organization, basis, setBy, at],
    );
    return before;
  }

  async takesFromAllotment({
    organizationId,
    paymentRequestId,
    asset,
  }: Pick<RefundState, 'organizationId' | 'paymentRequestId' | 'asset'>): Promise<boolean> {
    const [row] = await this.database.query<{ takes: boolean }>(
      `SELECT ${isPaidToAccount('$1', '$2')} AND ${basisOf('$3')} = 'topped_up' AS takes`,
      [paymentRequestId, asset.network, organizationId],
    );
    return row!.takes;
  }

  async lockAllotment(
    account: AccountId,
    uniqueAssetId: string,
  ): Promise<Pick<RefundAllotment, 'allotted' | 'used'>> {
    const [row] = await this.database.write<{ allotted: string; used: string }>(
      `SELECT allotted::text, used::text FROM settlement.refund_allotments
       WHERE account_id = $1 AND unique_asset_id = $2 FOR UPDATE`,
      [account, uniqueAssetId],
    );
    return { allotted: BigInt(row?.allotted ?? 0), used: BigInt(row?.used ?? 0) };
  }

  async allotments(organization: OrganizationId): Promise<RefundAllotment[]> {
    const rows = await this.database.query<
      Omit<RefundAllotment, 'allotted' | 'used'> & { allotted: string; used: string }
    >(
      `SELECT organization_id, account_id, unique_asset_id,
         allotted::text, used::text, set_by, updated_at
       FROM settlement.refund_allotments WHERE organization_id = $1 ORDER BY account_id, unique_asset_id`,
      [organization],
    );
    return rows.map((row) => ({ ...row, allotted: BigInt(row.allotted), used: BigInt(row.used) }));
  }

  async putAllotment({
    accountId,
    uniqueAssetId,
    organizationId,
    allotted,
    setBy,
    updatedAt,
  }: Omit<RefundAllotment, 'used'>): Promise<string> {
    const [row] = await this.database.write<{ subjectId: string }>(
      `INSERT INTO settlement.refund_allotments
         (account_id, unique_asset_id, organization_id, subject_id, allotted, set_by, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (account_id, unique_asset_id) DO UPDATE SET allotted = excluded.allotted, set_by = excluded.set_by,
         updated_at = excluded.updated_at
       RETURNING subject_id`,
      [accountId, uniqueAssetId, organizationId, newId(), allotted.toString(), setBy, updatedAt],
    );
    return row!.subjectId;
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
