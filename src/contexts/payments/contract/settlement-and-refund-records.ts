import type { PaymentRequestId } from '#shared/kernel/ids.js';

export interface RefundRecord {
  readonly id: string;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Smallest units of the asset. */
  readonly amount: bigint;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly network: string;
  readonly transactionHash?: string;
}

export interface SettlementAndRefunds {
  /** The newest settlement that has not failed. */
  readonly settlementId?: string;
  /** Oldest first. */
  readonly refunds: readonly RefundRecord[];
  /** Compares completed refunds with all funds received. Absent if no refund is completed. */
  readonly refundState?: 'partly_refunded' | 'refunded';
  /** True if funds remain that no pending or completed refund takes. Absent if there are no refunds. */
  readonly isRefundable?: boolean;
}

/** Implemented by the contexts that settle and refund, because payments does not depend on them. */
export abstract class SettlementAndRefundRecords {
  /** Requests without settlements and refunds are absent. */
  abstract findByRequests(
    requests: readonly PaymentRequestId[],
  ): Promise<ReadonlyMap<PaymentRequestId, SettlementAndRefunds>>;
}
