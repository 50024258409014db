import type { DomainEvent } from '#shared/kernel/domain-event.js';
import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';

/** Polled statuses of a payment request (docs/reference/payments.md, "States"). */
export type PaymentRequestStatus =
  'pending' | 'created' | 'processing' | 'completed' | 'underpaid' | 'overpaid' | 'expired' | 'failed';

/** Payment requested from a payer: asset, amount in smallest units as a decimal integer, and destination. */
export interface AskedAsset {
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly amount: string;
  readonly currency: string;
  readonly decimals: number;
  readonly inclusionGraceSeconds: number;
  readonly to: string;
  readonly tag?: string;
  readonly settlementTermsId: string;
}

/** `aggregateId` is the payment request's id. */
export type PaymentRequestStatusChanged = DomainEvent<
  'payment_request.status_changed',
  {
    readonly status: PaymentRequestStatus;
    readonly paymentRequestType: 'fixed';
    readonly pointOfSaleId: string;
    readonly referenceId?: string;
    /** Present in the first event of a request, so that readers can verify the request's row. */
    readonly opened?: {
      readonly expiresAt: string;
      /** Absent until the payer selects an asset. */
      readonly asked?: AskedAsset;
      /** Shortfall that the merchant accepts; absent if none. */
      readonly underpaymentTolerance?: UnderpaymentTolerance;
    };
    /** Present in the event for the first transfer. */
    readonly receivedAmount?: string;
    /** Present if the request ended underpaid within the merchant's tolerance. */
    readonly underpaymentAccepted?: true;
  }
>;

/**
 * Ledger step: the payment is final and must be posted exactly once. Amounts are smallest units as decimal integers. Hashes and
 * addresses are lower-case hex.
 */
export type PaymentRequestConfirmed = DomainEvent<
  'payment_request.confirmed',
  {
    readonly network: string;
    readonly uniqueAssetId: string;
    readonly currency: string;
    readonly decimals: number;
    readonly expectedAmount: string;
    readonly receivedAmount: string;
    /** In the terms of the address. */
    readonly feeBasisPoints: number;
    /** Present if received funds belong to the merchant immediately. */
    readonly delivered?: true;
    readonly referenceId?: string;
    readonly to: string;
    /** Sender of the last counted transfer; the zero address if unknown. */
    readonly from: string;
    /** Absent if the value was received inside a contract call, because the transaction is unknown. */
    readonly transactionHash?: string;
    /** Block timestamp of the last counted transfer. */
    readonly paidAt?: string;
  }
>;

/**
 * Reason why a transfer to a request's address is not part of its payment. `late`: its block came after the deadline and the
 * network's grace period. `after_outcome`: in time, but the request had ended. `other_asset`: not the asset requested there.
 */
export type DepositReason = 'late' | 'after_outcome' | 'other_asset';

/** Transfer that the ledger posts; for an aggregated deposit, the last transfer. Amounts are smallest units as decimal integers. */
interface BookedTransfer {
  readonly transferId: string;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** In the terms of the receiving address. */
  readonly feeBasisPoints: number;
  /** Present if received funds belong to the merchant immediately. */
  readonly delivered?: true;
  readonly pointOfSaleId: string;
  readonly referenceId?: string;
  readonly to: string;
  /** The zero address if the sender is unknown. */
  readonly from: string;
  readonly transactionHash?: string;
  /** Block timestamp of the transfer. */
  readonly paidAt?: string;
}

/** Final funds at an address of the request, outside its payment. Must be posted exactly once. */
export type PaymentRequestDepositReceived = DomainEvent<
  'payment_request.deposit_received',
  BookedTransfer & {
    /** Sum of all aggregated transfers. */
    readonly amount: string;
    readonly reason: DepositReason;
    /** Present for an aggregate of transfers below the asset's minimum: their number, and the UTC day of their blocks as YYYY-MM-DD. */
    readonly gathered?: { readonly transfers: number; readonly on: string };
  }
>;

/**
 * A final, posted transfer disappeared from the chain and must be reversed exactly once. `before` and `after` are the
 * unreversed parts of the posting before and after this event.
 */
export type PaymentRequestCreditReversed = DomainEvent<
  'payment_request.credit_reversed',
  BookedTransfer & {
    readonly postedAs: 'payment_in' | 'deposit';
    /** `transferId` of the aggregated deposit that contains the transfer; absent if the transfer was posted separately. */
    readonly depositId?: string;
    readonly before: string;
    readonly after: string;
  }
>;

/** The payer must now pay another asset, at its address and in its amount. */
export type PaymentRequestAssetSelected = DomainEvent<'payment_request.asset_selected', AskedAsset>;

/** The received amount changed without a change of status. It can decrease after a reorganization. */
export type PaymentRequestReceivedChanged = DomainEvent<
  'payment_request.received_changed',
  { readonly receivedAmount: string }
>;

/** The window ended early, because another request replaced this one or the merchant ended it. */
export type PaymentRequestWindowClosed = DomainEvent<
  'payment_request.window_closed',
  { readonly expiresAt: string }
>;

export type PaymentRequestEvent =
  | PaymentRequestStatusChanged
  | PaymentRequestConfirmed
  | PaymentRequestAssetSelected
  | PaymentRequestReceivedChanged
  | PaymentRequestWindowClosed
  | PaymentRequestDepositReceived
  | PaymentRequestCreditReversed;
