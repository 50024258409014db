import { Injectable } from '@nestjs/common';
import {
  SettlementAndRefundRecords,
  type SettlementAndRefunds,
  type RefundRecord,
} from '#contexts/payments/contract/settlement-and-refund-records.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';

const REFUNDS = 'FROM settlement.public_refunds f WHERE f.payment_request_id = r.id';
const IS_COMPLETED_REFUND = `f.status = 'completed'`;

/** @param condition of the refunds `f` that are compared with the funds received */
const exceedsRefunds = (
  condition: string,
) => `EXISTS (SELECT FROM payments.public_received_sums s WHERE s.payment_request_id = r.id
  AND s.paid + s.deposited > COALESCE((SELECT sum(f.amount) ${REFUNDS} AND ${condition} AND f.unique_asset_id = s.unique_asset_id), 0))`;

const SELECT_DELIVERIES = `
SELECT * FROM (
  SELECT r.id,
    (SELECT s.settlement_id FROM settlement.public_settled_requests s WHERE s.payment_request_id = r.id
     ORDER BY s.created_at DESC, s.settlement_id DESC LIMIT 1) AS settlement_id,
    (SELECT jsonb_agg(jsonb_build_object('id', f.id, 'status', f.status, 'amount', f.amount::text,
       'uniqueAssetId', f.unique_asset_id, 'currency', f.currency, 'decimals', f.decimals, 'network', f.network, 'transactionHash', f.transaction_hash) ORDER BY f.created_at, f.id)
     ${REFUNDS}) AS refunds,
    CASE WHEN EXISTS (SELECT ${REFUNDS} AND ${IS_COMPLETED_REFUND}) THEN
      CASE WHEN ${exceedsRefunds(IS_COMPLETED_REFUND)} THEN 'partly_refunded' ELSE 'refunded' END END AS refund_state,
    CASE WHEN EXISTS (SELECT ${REFUNDS}) THEN ${exceedsRefunds(`f.status <> 'failed'`)} END AS is_refundable
  FROM UNNEST($1::uuid[]) r (id)) record
WHERE num_nonnulls(settlement_id, refunds) > 0`;

interface DeliveryRecordRow {
  id: PaymentRequestId;
  settlementId: string | null;
  refundState: SettlementAndRefunds['refundState'] | null;
  isRefundable: boolean | null;
  refunds:
    | (Omit<RefundRecord, 'amount' | 'transactionHash'> & {
        amount: string;
        transactionHash: string | null;
      })[]
    | null;
}

@Injectable()
export class PostgresSettlementAndRefundRecords extends SettlementAndRefundRecords {
  constructor(private readonly database: Database) {
    super();
  }

  async findByRequests(
    requests: readonly PaymentRequestId[],
  ): Promise<ReadonlyMap<PaymentRequestId, SettlementAndRefunds>> {
    const rows = await this.database.query<DeliveryRecordRow>(SELECT_DELIVERIES, [requests]);
    return new Map(rows.map((row) => [row.id, toDeliveryRecord(row)]));
  }
}

function toDeliveryRecord({
  settlementId,
  refundState,
  isRefundable,
  refunds,
}: DeliveryRecordRow): SettlementAndRefunds {
  return {
    ...(settlementId === null ? {} : { settlementId }),
    ...(refundState && { refundState }),
    ...(isRefundable === null ? {} : { isRefundable }),
    refunds: (refunds ?? []).map(({ amount, transactionHash, ...refund }) => ({
      ...refund,
      amount: BigInt(amount),
      ...(transactionHash === null ? {} : { transactionHash }),
    })),
  };
}
