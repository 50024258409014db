import { Injectable } from '@nestjs/common';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import type {
  RefundFloatAllotment,
  RefundLimitBasis,
  RefundLimit,
} from '#contexts/settlement/domain/refunds/refund-limits.js';
import type { RefundSnapshot } from '#contexts/settlement/domain/refunds/refund.js';

const LIMIT_COLUMNS =
  'organization_id, account_id, unique_asset_id, per_day, automatic_below, set_by, updated_at';

/** The funds belong to the account, but the organization's float pays the refunds. */
export function paidToAccountAddressSql(paymentRequest: string, network: string): string {
  return `EXISTS (SELECT FROM payments.public_known_addresses a
    WHERE a.payment_request_id = ${paymentRequest} AND a.network = ${network}
      AND NOT EXISTS (SELECT FROM point_of_sale.public_settlement_terms t
        WHERE t.organization_id = a.organization_id AND t.account_id IS NULL AND t.network = a.network
          AND lower(t.settlement_address) = lower(a.settlement_address)))`;
}

function refundBasisOf(organization: string): string {
  return `COALESCE((SELECT basis FROM settlement.refund_bases WHERE organization_id = ${organization}), 'topped_up')`;
}

@Injectable()
export class RefundLimits {
  constructor(private readonly database: Database) {}

  async find(account: AccountId, uniqueAssetId: string): Promise<RefundLimit | null> {
    const [row] = await this.database.query<RefundLimit>(
      `SELECT ${LIMIT_COLUMNS} FROM settlement.refund_limits WHERE account_id = $1 AND unique_asset_id = $2`,
      [account, uniqueAssetId],
    );
    return row ?? null;
  }

  list(organization: OrganizationId): Promise<RefundLimit[]> {
    return this.database.query<RefundLimit>(
      `SELECT ${LIMIT_COLUMNS} FROM settlement.refund_limits WHERE organization_id = $1 ORDER BY account_id, unique_asset_id`,
      [organization],
    );
  }

  /** Locks the limit until the unit of work ends. Returns the previous limit, and the audit log's subject id. */
  async put(limit: RefundLimit): Promise<{ before: RefundLimit | null; subjectId: string }> {
    const [before] = await this.database.queryInTransaction<RefundLimit>(
      `SELECT ${LIMIT_COLUMNS} FROM settlement.refund_limits WHERE account_id = $1 AND unique_asset_id = $2 FOR UPDATE`,
      [limit.accountId, limit.uniqueAssetId],
    );
    const [after] = await this.database.queryInTransaction<{ subjectId: string }>(
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
    return { before: before ?? null, subjectId: after!.subjectId };
  }

  async basis(organization: OrganizationId): Promise<RefundLimitBasis> {
    const [row] = await this.database.query<{ basis: RefundLimitBasis }>(
      `SELECT ${refundBasisOf('$1')} AS basis`,
      [organization],
    );
    return row!.basis;
  }

  async putBasis(
    organization: OrganizationId,
    basis: RefundLimitBasis,
    setBy: string,
    at: Date,
  ): Promise<RefundLimitBasis> {
    const before = await this.basis(organization);
    await this.database.queryInTransaction(
      `INSERT INTO settlement.refund_bases (organization_id, basis, set_by, updated_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (organization_id) DO UPDATE SET basis = excluded.basis, set_by = excluded.set_by,
         updated_at = excluded.updated_at`,
      [organization, basis, setBy, at],
    );
    return before;
  }

  /** True for a settlement address that was never in the organization's own terms, with basis `topped_up`. */
  async takesFromAllotment({
    organizationId,
    paymentRequestId,
    asset,
  }: Pick<RefundSnapshot, 'organizationId' | 'paymentRequestId' | 'asset'>): Promise<boolean> {
    const [row] = await this.database.query<{ takes: boolean }>(
      `SELECT ${paidToAccountAddressSql('$1', '$2')} AND ${refundBasisOf('$3')} = 'topped_up' AS takes`,
      [paymentRequestId, asset.network, organizationId],
    );
    return row!.takes;
  }

  /** Row-locks the allotment until the unit of work ends. Allotted and used amount are 0 if none was ever set. */
  async lockAllotment(
    account: AccountId,
    uniqueAssetId: string,
  ): Promise<Pick<RefundFloatAllotment, 'allotted' | 'used'>> {
    const [row] = await this.database.queryInTransaction<{ allotted: bigint; used: bigint }>(
      `SELECT allotted, used FROM settlement.refund_allotments
       WHERE account_id = $1 AND unique_asset_id = $2 FOR UPDATE`,
      [account, uniqueAssetId],
    );
    return row ?? { allotted: 0n, used: 0n };
  }

  allotments(organization: OrganizationId): Promise<RefundFloatAllotment[]> {
    return this.database.query<RefundFloatAllotment>(
      `SELECT organization_id, account_id, unique_asset_id, allotted, used, set_by, updated_at
       FROM settlement.refund_allotments WHERE organization_id = $1 ORDER BY account_id, unique_asset_id`,
      [organization],
    );
  }

  async putAllotment({
    accountId,
    uniqueAssetId,
    organizationId,
    allotted,
    setBy,
    updatedAt,
  }: Omit<RefundFloatAllotment, 'used'>): Promise<string> {
    const [row] = await this.database.queryInTransaction<{ subjectId: string }>(
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
