import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { selectDueIdsRoundRobin, selectIdsRoundRobin } from '#shared/platform/database/in-turns.sql.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { withoutNulls, type RowOf } from '#shared/platform/database/rows.js';
import {
  Refund,
  type RefundedAsset,
  type RefundSnapshot,
} from '#contexts/settlement/domain/refunds/refund.js';
import { transactionPaysAnotherRefundError } from '#contexts/settlement/domain/refunds/refund-refusals.js';
import { Refunds, type RefundedSum } from '#contexts/settlement/domain/refunds/refunds.js';

export const REFUND_COLUMNS = `id, organization_id, account_id, payment_request_id, point_of_sale_id, reference_id, merchant_name,
  network, token, unique_asset_id, currency AS symbol, decimals, amount, status, paid_by, reason, to_address AS "to",
  claim_expires_at, claimed_at, approved_at, approved_by, float_address, transaction_hash, failure, created_at, updated_at`;

type RefundColumns = Omit<RefundSnapshot, 'asset'> & RefundedAsset;
export type RefundRow = RowOf<RefundColumns>;

export const OWNED_REFUND = 'id = $1 AND organization_id = $2 AND ($3::uuid IS NULL OR account_id = $3)';

const SELECT_MERCHANT_REFUNDS_IN_TURNS = selectIdsRoundRobin({
  table: 'settlement.refunds',
  waits: `t.network = $1 AND t.paid_by = 'merchant' AND t.status = 'processing'`,
  oldestFirst: 't.followed_at NULLS FIRST, t.id',
  limit: '$2',
});

const IS_UNCLAIMED = `status = 'pending' AND to_address IS NULL`;
const CLAIM_HAS_ENDED = 'claim_expires_at <= platform.now()';
/** Checks the end again under the lock, because the claim may have been replaced. */
export const LOCK_EXPIRED_UNCLAIMED_SQL = `SELECT r.* FROM ${selectDueIdsRoundRobin({
  table: 'settlement.refunds',
  waits: IS_UNCLAIMED,
  isDue: CLAIM_HAS_ENDED,
  oldestFirst: 't.claim_expires_at',
  limit: '$1',
})} taken CROSS JOIN LATERAL (
  SELECT ${REFUND_COLUMNS} FROM settlement.refunds WHERE id = taken.id AND ${IS_UNCLAIMED}
    AND ${CLAIM_HAS_ENDED} FOR UPDATE SKIP LOCKED) r`;

@Injectable()
export class PostgresRefunds extends Refunds {
  constructor(
    private readonly database: Database,
    private readonly eventLog: EventLog,
  ) {
    super();
  }

  async lockSum(sum: RefundedSum): Promise<bigint> {
    const [locked] = await this.database.queryInTransaction<{ refunded: bigint }>(
      `INSERT INTO settlement.refunded_sums AS s
         (payment_request_id, unique_asset_id, organization_id, account_id, received)
       SELECT $1, $2, $3, $4, $5 WHERE identity.public_hold_account($3, $4)
       ON CONFLICT (payment_request_id, unique_asset_id)
         DO UPDATE SET received = GREATEST(excluded.received, s.refunded)
       RETURNING refunded`,
      [sum.paymentRequestId, sum.uniqueAssetId, sum.organizationId, sum.accountId, sum.received.toString()],
    );
    if (locked === undefined) throw notFound('payment request');
    return locked.refunded;
  }

  async findRefundedSum(paymentRequest: PaymentRequestId, uniqueAssetId: string): Promise<bigint> {
    const [sum] = await this.database.query<{ refunded: bigint }>(
      `SELECT refunded FROM settlement.refunded_sums WHERE payment_request_id = $1 AND unique_asset_id = $2`,
      [paymentRequest, uniqueAssetId],
    );
    return sum?.refunded ?? 0n;
  }

  async findReceivedSum(paymentRequest: PaymentRequestId, uniqueAssetId: string): Promise<bigint> {
    const [sum] = await this.database.query<{ received: bigint }>(
      `SELECT COALESCE(sum(paid + deposited), 0) AS received FROM payments.public_received_sums
       WHERE payment_request_id = $1 AND unique_asset_id = $2`,
      [paymentRequest, uniqueAssetId],
    );
    return sum!.received;
  }

  async add(refund: Refund, claimDigest: Buffer | null): Promise<void> {
    const { asset, ...state } = refund.snapshot;
    const added = await this.database.queryInTransaction(
      `WITH sum AS (
         UPDATE settlement.refunded_sums SET refunded = refunded + $12
         WHERE payment_request_id = $4 AND unique_asset_id = $10)
       INSERT INTO settlement.refunds (id, organization_id, account_id, payment_request_id, point_of_sale_id, reference_id,
         merchant_name, network, token, unique_asset_id, currency, amount, decimals, status, reason, to_address,
         claim_digest, claim_expires_at, approved_at, approved_by, float_address, created_at, updated_at, paid_by, transaction_hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)
       ON CONFLICT (organization_id, network, transaction_hash, to_address) WHERE paid_by = 'merchant' AND status <> 'failed' DO NOTHING
       RETURNING id`,
      [
        ...[state.id, state.organizationId, state.accountId, state.paymentRequestId, state.pointOfSaleId],
        ...[state.referenceId ?? null, state.merchantName, asset.network, asset.token, asset.uniqueAssetId],
        ...[asset.symbol, state.amount.toString(), asset.decimals, state.status, state.reason ?? null],
        ...[state.to ?? null, claimDigest, state.claimExpiresAt ?? null, state.approvedAt ?? null],
        ...[state.approvedBy ?? null, state.floatAddress ?? null, state.createdAt, state.updatedAt],
        ...[state.paidBy, state.transactionHash ?? null],
      ],
    );
    if (added.length !== 1) throw transactionPaysAnotherRefundError();
    await this.eventLog.append(refund.pullEvents());
  }

  find(scope: TenantScope, id: string): Promise<Refund> {
    return this.findOne(`SELECT ${REFUND_COLUMNS} FROM settlement.refunds WHERE ${OWNED_REFUND}`, scope, id);
  }

  lock(scope: TenantScope, id: string): Promise<Refund> {
    return this.findOne(
      `SELECT ${REFUND_COLUMNS} FROM settlement.refunds WHERE ${OWNED_REFUND} FOR UPDATE`,
      scope,
      id,
    );
  }

  async findByClaimDigest(claimDigest: Buffer): Promise<Refund | null> {
    const [row] = await this.database.query<RefundRow>(
      `SELECT ${REFUND_COLUMNS} FROM settlement.refunds
       WHERE claim_digest = $1 AND (claimed_at IS NOT NULL OR claim_expires_at > platform.now() AND status = 'pending')`,
      [claimDigest],
    );
    return row === undefined ? null : Refund.restore(refundFromRow(row));
  }

  async lockExpiredUnclaimed(limit: number): Promise<Refund[]> {
    const rows = await this.database.queryInTransaction<RefundRow>(LOCK_EXPIRED_UNCLAIMED_SQL, [limit]);
    return rows.map((row) => Refund.restore(refundFromRow(row)));
  }

  async lockPending(
    organization: OrganizationId,
    { network, to, amount }: { network: string; to: string; amount: bigint },
  ): Promise<Refund[]> {
    const rows = await this.database.queryInTransaction<RefundRow>(
      `SELECT ${REFUND_COLUMNS} FROM settlement.refunds
       WHERE organization_id = $1 AND network = $2 AND status = 'pending' AND to_address = $3 AND amount = $4
       ORDER BY created_at, id FOR UPDATE`,
      [organization, network, to, amount.toString()],
    );
    return rows.map((row) => Refund.restore(refundFromRow(row)));
  }

  async newestUnpaidOfReversed(network: string): Promise<Refund[]> {
    const rows = await this.database.query<RefundRow>(
      `SELECT DISTINCT ON (payment_request_id, unique_asset_id) ${REFUND_COLUMNS} FROM settlement.refunds r
       WHERE network = $1 AND payment_request_id IN
           (SELECT payment_request_id FROM payments.public_reversed_requests WHERE network = $1)
         AND (status = 'pending' OR status = 'processing' AND EXISTS (SELECT FROM settlement.refund_float_payouts p
           WHERE p.id = r.id AND p.sent_at IS NULL
             AND NOT EXISTS (SELECT FROM networks.public_sendings s WHERE s.id = COALESCE(p.sending_id, p.id))))
       ORDER BY payment_request_id, unique_asset_id, created_at DESC, id DESC`,
      [network],
    );
    return rows.map((row) => Refund.restore(refundFromRow(row)));
  }

  async takeMerchantRefunds(network: string, limit: number): Promise<Refund[]> {
    const rows = await this.database.queryInTransaction<RefundRow>(
      `UPDATE settlement.refunds SET followed_at = platform.now() WHERE id IN (
         SELECT id FROM settlement.refunds WHERE id IN (SELECT id FROM ${SELECT_MERCHANT_REFUNDS_IN_TURNS} taken) AND status = 'processing'
         FOR UPDATE SKIP LOCKED) RETURNING ${REFUND_COLUMNS}`,
      [network, limit],
    );
    return rows.map((row) => Refund.restore(refundFromRow(row)));
  }

  async save(refund: Refund): Promise<void> {
    const state = refund.snapshot;
    const saved = await this.database.queryInTransaction(
      `UPDATE settlement.refunds SET status = $2, to_address = $3, claimed_at = $4, approved_at = $5, approved_by = $6,
         float_address = $7, transaction_hash = $8, failure = $9, updated_at = $10
       WHERE id = $1 AND status = CASE WHEN $2 IN ('pending', 'processing') THEN 'pending' WHEN $2 = 'completed' THEN 'processing'
         WHEN approved_at IS NULL THEN 'pending' ELSE 'processing' END
         AND ($4::timestamptz IS NULL OR claimed_at IS NULL OR claimed_at = $4) RETURNING id`,
      [
        ...[state.id, state.status, state.to ?? null, state.claimedAt ?? null, state.approvedAt ?? null],
        ...[state.approvedBy ?? null, state.floatAddress ?? null, state.transactionHash ?? null],
        ...[state.failure ?? null, state.updatedAt],
      ],
    );
    if (saved.length !== 1) throw new Error(`refund ${state.id} has changed since it was locked`);
    if (state.status === 'failed') {
      await this.database.queryInTransaction(
        `UPDATE settlement.refunded_sums SET refunded = refunded - $3
         WHERE payment_request_id = $1 AND unique_asset_id = $2`,
        [state.paymentRequestId, state.asset.uniqueAssetId, state.amount.toString()],
      );
    }
    await this.eventLog.append(refund.pullEvents());
  }

  async saveClaim(refund: Refund, claimDigest: Buffer): Promise<void> {
    const { id, claimExpiresAt, updatedAt } = refund.snapshot;
    await this.database.queryInTransaction(
      'UPDATE settlement.refunds SET claim_digest = $2, claim_expires_at = $3, updated_at = $4 WHERE id = $1',
      [id, claimDigest, claimExpiresAt, updatedAt],
    );
  }

  async sumApprovedSince(account: AccountId, uniqueAssetId: string, since: Date): Promise<bigint> {
    const [sum] = await this.database.query<{ amount: bigint }>(
      `SELECT COALESCE(sum(amount), 0) AS amount FROM settlement.refunds
       WHERE account_id = $1 AND unique_asset_id = $2 AND approved_at > $3 AND status <> 'failed'`,
      [account, uniqueAssetId, since],
    );
    return sum!.amount;
  }

  private async findOne(
    text: string,
    { organizationId, accountId }: TenantScope,
    id: string,
  ): Promise<Refund> {
    const [row] = await this.database.query<RefundRow>(text, [id, organizationId, accountId]);
    if (row === undefined) throw notFound('refund');
    return Refund.restore(refundFromRow(row));
  }
}

export function refundFromRow(row: RefundRow): RefundSnapshot {
  const { network, token, uniqueAssetId, symbol, decimals, ...state } = withoutNulls<RefundColumns>(row);
  return { ...state, asset: { network, token, uniqueAssetId, symbol, decimals } };
}
