import type { DomainEvent } from '#shared/kernel/domain-event.js';

/**
 * `processing`: delivered in a block that a reorganization may still remove. `completed`: the block is final.
 * `failed`: the block was removed, so the funds are at the deposit addresses again. `pending` is not used yet.
 */
export type SettlementStatus = 'pending' | 'processing' | 'completed' | 'failed';

/** Amounts in smallest units, as decimal integers. */
export interface SettledAddress {
  readonly paymentRequestId: string;
  /** In lower case. */
  readonly address: string;
  readonly toSettlement: string;
  readonly toFee: string;
  readonly feeBasisPoints: number;
}

/**
 * Delivery of one account's funds, in one asset, to one settlement address, by one transaction. `aggregateId` is the
 * settlement's id. Every event contains the complete settlement.
 */
export type SettlementStatusChanged = DomainEvent<
  'settlement.status_changed',
  {
    readonly status: Exclude<SettlementStatus, 'pending'>;
    readonly network: string;
    readonly uniqueAssetId: string;
    readonly currency: string;
    readonly decimals: number;
    readonly amount: string;
    readonly feeAmount: string;
    readonly settlementAddress: string;
    /** Contract that paid out the deposit addresses. */
    readonly from: string;
    readonly transactionHash: string;
    readonly addresses: readonly SettledAddress[];
  }
>;
