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
  /** Absent until the transaction is in a block. */
  readonly transactionHash?: string;
}

export interface DeliveryRecord {
  /** Newest settlement of the request's funds that has not failed; absent if there is none. */
  readonly settlementId?: string;
  /** Oldest first. */
  readonly refunds: readonly RefundRecord[];
}

/** Port for the contexts that settle and refund, which payments does not depend on. */
export abstract class DeliveryRecords {
  /** Runs one statement. Omits requests without deliveries. */
  abstract byRequest(
    requests: readonly PaymentRequestId[],
  ): Promise<ReadonlyMap<PaymentRequestId, DeliveryRecord>>;
}
