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
  /** Id of the newest settlement of the funds of the request that has not failed. Absent if there is none. */
  readonly settlementId?: string;
  /** Refunds of the request, oldest first. */
  readonly refunds: readonly RefundRecord[];
}

/**
 * Reads settlements and refunds. Implemented by the contexts that settle and refund, because payments does not
 * depend on them.
 */
export abstract class DeliveryRecords {
  /** Returns settlements and refunds by request. Requests without either are absent. Runs one statement. */
  abstract byRequest(
    requests: readonly PaymentRequestId[],
  ): Promise<ReadonlyMap<PaymentRequestId, DeliveryRecord>>;
}
