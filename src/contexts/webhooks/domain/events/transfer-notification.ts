import { formatAmount } from '#shared/kernel/amount.js';
import { canonicalJson } from '#shared/kernel/canonical-json.js';

/** What is said of money at an address of a payment request, beside the request's status. */
interface TransferNotice {
  readonly paymentRequestId: string;
  readonly externalReferenceId?: string;
  readonly pointOfSaleId: string;
  readonly accountId: string;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  /** Fraction digits of the asset; amounts are in its smallest units. */
  readonly decimals: number;
  /** Where it was sent to, in EIP-55 on EVM networks. */
  readonly address: string;
  /** Absent where no transaction is known to have brought it. */
  readonly transactionHash?: string;
}

/** Money that is no part of what the request received. */
export interface DepositNotice extends TransferNotice {
  readonly amount: bigint;
  readonly reason: string;
  /** Of transfers below the minimum of their asset: how many they are, and the UTC day of their blocks, as YYYY-MM-DD. */
  readonly gathered?: { readonly transfers: number; readonly on: string };
}

/** A transfer that was booked has disappeared from the chain. */
export interface ReversalNotice extends TransferNotice {
  /** Type of the transaction that booked it. */
  readonly reverses: string;
  /** What of that transaction stood before, and what stands now. */
  readonly before: bigint;
  readonly after: bigint;
}

/** Canonical JSON. Without a `status`, so that nobody takes it for a change of one. */
export function depositBody(notice: DepositNotice): string {
  return canonicalJson({
    data: {
      ...transfer('payment_request_deposit', notice),
      amount: formatAmount(notice.amount, notice.decimals),
      reason: notice.reason,
      gathered_transfers: notice.gathered?.transfers,
      gathered_on: notice.gathered?.on,
    },
  });
}

/** Canonical JSON. The amount carries a minus, so that amounts of deposits and adjustments can be added up. */
export function adjustmentBody(notice: ReversalNotice): string {
  const { before, after, decimals } = notice;
  return canonicalJson({
    data: {
      ...transfer('payment_request_adjustment', notice),
      amount: formatAmount(after - before, decimals),
      remaining_amount: formatAmount(after, decimals),
      reverses: notice.reverses,
    },
  });
}

function transfer(notificationType: string, notice: TransferNotice) {
  return {
    notification_type: notificationType,
    payment_request_id: notice.paymentRequestId,
    external_reference_id: notice.externalReferenceId,
    point_of_sale_id: notice.pointOfSaleId,
    account_id: notice.accountId,
    network: notice.network,
    unique_asset_id: notice.uniqueAssetId,
    currency: notice.currency,
    address: notice.address,
    transaction_hash: notice.transactionHash,
  };
}
