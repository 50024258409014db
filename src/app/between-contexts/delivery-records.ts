import { Injectable } from '@nestjs/common';
import {
  DeliveryRecords,
  type DeliveryRecord,
  type RefundRecord,
} from '#contexts/payments/contract/delivery-records.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';

const SELECT_DELIVERIES = `
SELECT * FROM (
  SELECT r.id,
    (SELECT s.settlement_id FROM settlement.public_settled_requests s WHERE s.payment_request_id = r.id
     ORDER BY s.created_at DESC, s.settlement_id DESC LIMIT 1) AS settlement_id,
    (SELECT jsonb_agg(jsonb_build_object('id', f.id, 'status', f.status, 'amount', f.amount::text,
       'uniqueAssetId', f.unique_asset_id, 'currency', f.currency, 'decimals', f.decimals, 'network', f.network, 'transactionHash', f.transaction_hash) ORDER BY f.created_at, f.id)
     FROM settlement.public_refunds f WHERE f.payment_request_id = r.id) AS refunds
  FROM UNNEST($1::uuid[]) r (id)) record
WHERE num_nonnulls(settlement_id, refunds) > 0`;

interface DeliveryRecordRow {
  id: PaymentRequestId;
  settlementId: string | null;
  refunds:
    | (Omit<RefundRecord, 'amount' | 'transactionHash'> & {
        amount: string;
        transactionHash: string | null;
      })[]
    | null;
}

@Injectable()
export class PostgresDeliveryRecords extends DeliveryRecords {
  constructor(private readonly database: Database) {
    super();
  }

  async byRequest(
    requests: readonly PaymentRequestId[],
  ): Promise<ReadonlyMap<PaymentRequestId, DeliveryRecord>> {
    const rows = await this.database.query<DeliveryRecordRow>(SELECT_DELIVERIES, [requests]);
    return new Map(rows.map((row) => [row.id, toDeliveryRecord(row)]));
  }
}

function toDeliveryRecord({ settlementId, refunds }: DeliveryRecordRow): DeliveryRecord {
  return {
    ...(settlementId === null ? {} : { settlementId }),
    refunds: (refunds ?? []).map(({ amount, transactionHash, ...refund }) => ({
      ...refund,
      amount: BigInt(amount),
      ...(transactionHash === null ? {} : { transactionHash }),
    })),
  };
}
