import { formatAmount } from '#shared/kernel/amount.js';
import { canonicalJson } from '#shared/kernel/canonical-json.js';

/** Statuses of a settlement that a merchant is notified of: `processing` is for reading. */
export const NOTIFIED_SETTLEMENT_STATUSES: readonly string[] = ['completed', 'failed'];

/** What is said of a settlement. Amounts in smallest units. */
export interface SettlementNotice {
  readonly settlementId: string;
  readonly status: string;
  readonly accountId: string;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** To the settlement address, and to the fee recipient. */
  readonly amount: bigint;
  readonly feeAmount: bigint;
  /** As people write it. */
  readonly settlementAddress: string;
  readonly transactionHash: string;
  /** Payment requests whose money it delivered. */
  readonly paymentCount: number;
}

/** Canonical JSON. */
export function settlementBody(notice: SettlementNotice): string {
  const amount = (value: bigint) => formatAmount(value, notice.decimals);
  return canonicalJson({
    data: {
      notification_type: 'settlement_status_update',
      settlement_id: notice.settlementId,
      status: notice.status,
      account_id: notice.accountId,
      network: notice.network,
      unique_asset_id: notice.uniqueAssetId,
      currency: notice.currency,
      amount: amount(notice.amount),
      fee_amount: amount(notice.feeAmount),
      settlement_address: notice.settlementAddress,
      transaction_hash: notice.transactionHash,
      payment_count: notice.paymentCount,
    },
  });
}
