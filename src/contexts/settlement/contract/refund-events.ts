import type { DomainEvent } from '#shared/kernel/domain-event.js';

/**
 * `pending`: waits for the payer's address or the merchant's approval. `processing`: approved, and its amount is
 * reserved. `completed`: paid in a final block. `failed`: cancelled, or the transaction failed permanently.
 */
export type RefundStatus = 'pending' | 'processing' | 'completed' | 'failed';

/** In smallest units of the native coin, as a decimal integer. */
export interface PaidGas {
  readonly uniqueAssetId: string;
  readonly amount: string;
}

/** Every event contains the complete refund. Amounts in smallest units, as decimal integers. */
export type RefundStatusChanged = DomainEvent<
  'refund.status_changed',
  {
    readonly status: RefundStatus;
    readonly paymentRequestId: string;
    readonly pointOfSaleId: string;
    readonly referenceId?: string;
    readonly network: string;
    readonly uniqueAssetId: string;
    readonly currency: string;
    readonly decimals: number;
    readonly amount: string;
    /** Present if the merchant's own wallet pays the refund. `transactionHash` is then present in every event. */
    readonly paidBy?: 'merchant';
    /** Address of the float. A placeholder if the merchant's own wallet pays. */
    readonly from: string;
    /** Absent until the payer has named the address. */
    readonly to?: string;
    readonly transactionHash?: string;
    /** Present once the refund has ended in a final block, if the native coin is in the catalogue. */
    readonly gas?: PaidGas;
  }
>;

/** `aggregateId` is the id of this top-up. `accountId` is the organization's first account. */
export type RefundFloatToppedUp = DomainEvent<
  'refund_float.topped_up',
  {
    readonly network: string;
    readonly uniqueAssetId: string;
    readonly currency: string;
    readonly decimals: number;
    readonly amount: string;
    readonly to: string;
    /** The zero address, without a transaction hash, if the top-up is only known from a balance. */
    readonly from: string;
    readonly transactionHash?: string;
  }
>;

/** `aggregateId` is the withdrawal's id. */
export type RefundFloatWithdrawalStatusChanged = DomainEvent<
  'refund_float.withdrawal_status_changed',
  {
    readonly status: 'processing' | 'completed' | 'failed';
    readonly network: string;
    readonly uniqueAssetId: string;
    readonly currency: string;
    readonly decimals: number;
    readonly amount: string;
    readonly from: string;
    readonly to: string;
    readonly transactionHash?: string;
    readonly gas?: PaidGas;
  }
>;

export type RefundEvent = RefundStatusChanged | RefundFloatToppedUp | RefundFloatWithdrawalStatusChanged;
