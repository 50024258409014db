import type { PaymentRequestId } from '#shared/kernel/ids.js';

/** A payment back to the payer. */
export interface RefundRecord {
  readonly id: string;
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Smallest units of the asset. */
  readonly amount: bigint;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly network: string;
  /** Absent until it is in a block. */
  readonly transactionHash?: string;
}

/** The deliveries of a request's money after its outcome. */
export interface DeliveryRecord {
  /** The newest settlement that delivered money of the request and has not failed; absent before there is one. */
  readonly settlementId?: string;
  /** Oldest first. */
  readonly refunds: readonly RefundRecord[];
}

/** Payments, which collects, does not know who delivers and refunds. */
export abstract class DeliveryRecords {
  /** One statement. Requests without any delivery are not in the map. */
  abstract byRequest(
    requests: readonly PaymentRequestId[],
  ): Promise<ReadonlyMap<PaymentRequestId, DeliveryRecord>>;
}
