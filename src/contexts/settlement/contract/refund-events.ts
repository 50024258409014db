import type { DomainEvent } from '#shared/kernel/domain-event.js';

/**
 * `pending`: waits for the payer's address or the merchant's approval. `processing`: approved, its amount reserved.
 * `completed`: paid, in a final block. `failed`: cancelled, or its transaction came to nothing for good.
 */
export type RefundStatus = 'pending' | 'processing' | 'completed' | 'failed';

/** The cost of a mined transaction for its sender, in smallest units of the network's native coin as a decimal integer. */
export interface PaidGas {
  readonly uniqueAssetId: string;
  readonly amount: string;
}

/** `aggregateId` is the refund's id. Every event says all of it. Amounts are smallest units as decimal integers. */
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
    /** Present where the merchant's own wallet pays it, by the transaction that is named from its beginning. */
    readonly paidBy?: 'merchant';
    /** The float; nobody is named where the merchant's own wallet pays. */
    readonly from: string;
    /** Absent while the payer has not named it. */
    readonly to?: string;
    readonly transactionHash?: string;
    /** Present once it has ended in a final block, where the native coin is catalogued. */
    readonly gas?: PaidGas;
  }
>;

/**
 * A float holds more than it did, in a final block. `aggregateId` is an id of this one top-up; the account is the first of
 * its organization, in whose books the float stands.
 */
export type RefundFloatToppedUp = DomainEvent<
  'refund_float.topped_up',
  {
    readonly network: string;
    readonly uniqueAssetId: string;
    readonly currency: string;
    readonly decimals: number;
    readonly amount: string;
    /** The float. */
    readonly to: string;
    /** The zero address, and no hash, where a balance alone shows it. */
    readonly from: string;
    readonly transactionHash?: string;
  }
>;

/** An operator has the float paid to the organization's settlement address. `aggregateId` is the withdrawal's id. */
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
    /** The settlement address. */
    readonly to: string;
    readonly transactionHash?: string;
    readonly gas?: PaidGas;
  }
>;

export type RefundEvent = RefundStatusChanged | RefundFloatToppedUp | RefundFloatWithdrawalStatusChanged;
