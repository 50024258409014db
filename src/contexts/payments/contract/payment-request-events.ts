import type { DomainEvent } from '#shared/kernel/domain-event.js';
import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';

/** States of a payment request that a reader can poll (docs/reference/payments.md, "States"). */
export type PaymentRequestStatus =
  'pending' | 'created' | 'processing' | 'completed' | 'underpaid' | 'overpaid' | 'expired' | 'failed';

/** The payment that a payer is asked for: an asset, its amount in smallest units as a decimal integer, and where to send it. */
export interface AskedAsset {
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly amount: string;
  readonly currency: string;
  readonly decimals: number;
  readonly inclusionGraceSeconds: number;
  /** The deposit address, and its memo where the address serves many requests. */
  readonly to: string;
  readonly tag?: string;
  /** The terms that the address was derived from. */
  readonly settlementTermsId: string;
}

/** The polled status became `status`. `aggregateId` is the payment request's id. */
export type PaymentRequestStatusChanged = DomainEvent<
  'payment_request.status_changed',
  {
    readonly status: PaymentRequestStatus;
    readonly paymentRequestType: 'fixed';
    readonly pointOfSaleId: string;
    readonly referenceId?: string;
    /** Present in the first event of a request, for readers that compare. */
    readonly opened?: {
      readonly expiresAt: string;
      /** Absent where the payer has yet to choose. */
      readonly asked?: AskedAsset;
      /** The shortfall that the merchant accepts; absent where none is. */
      readonly underpaymentTolerance?: UnderpaymentTolerance;
    };
    /** Present in the event of the first transfer. */
    readonly receivedAmount?: string;
    /** Present where the request has ended underpaid, by no more than its merchant accepts. */
    readonly underpaymentAccepted?: true;
  }
>;

/**
 * The ledger step: the payment is final and is to be posted, once. Amounts are smallest units as decimal
 * integers; hashes and addresses lower-case hex.
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
    /** The fee in the terms of its address. */
    readonly feeBasisPoints: number;
    /** Present where what arrives is the merchant's at once. */
    readonly delivered?: true;
    readonly referenceId?: string;
    /** The deposit address. */
    readonly to: string;
    /** The sender of the last counted transfer; the zero address where it is not known. */
    readonly from: string;
    /** Absent where the value arrived inside a contract call: no transaction is known to have brought it. */
    readonly transactionHash?: string;
    /** The time of the block of the last counted transfer. */
    readonly paidAt?: string;
  }
>;

/**
 * The reason why a transfer to a request's address is not part of what it received. `late`: its block came after the deadline and the
 * network's inclusion grace. `after_outcome`: in time, but the request had ended. `other_asset`: not what was asked for
 * at that address.
 */
export type DepositReason = 'late' | 'after_outcome' | 'other_asset';

/** One transfer, as the ledger books it; the last one where several are gathered. Amounts are smallest units as decimal integers. */
interface BookedTransfer {
  readonly transferId: string;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** The fee in the terms of the address it was sent to. */
  readonly feeBasisPoints: number;
  /** Present where what arrives is the merchant's at once. */
  readonly delivered?: true;
  readonly pointOfSaleId: string;
  readonly referenceId?: string;
  /** The deposit address. */
  readonly to: string;
  /** The zero address where the sender is not known. */
  readonly from: string;
  readonly transactionHash?: string;
  /** The time of the transfer's block. */
  readonly paidAt?: string;
}

/** Final money at an address of the request that is no part of its payment: to be posted, once. */
export type PaymentRequestDepositReceived = DomainEvent<
  'payment_request.deposit_received',
  BookedTransfer & {
    /** The sum of all transfers. */
    readonly amount: string;
    readonly reason: DepositReason;
    /** Present for transfers below the minimum of their asset: their number, and the UTC day of their blocks as YYYY-MM-DD. */
    readonly gathered?: { readonly transfers: number; readonly on: string };
  }
>;

/**
 * A transfer that was final, and posted, has disappeared from the chain: to be reversed, once. `before` and `after` are
 * the parts of that posting that are not reversed, before and after this event.
 */
export type PaymentRequestCreditReversed = DomainEvent<
  'payment_request.credit_reversed',
  BookedTransfer & {
    readonly postedAs: 'payment_in' | 'deposit';
    /** The `transferId` of the gathered deposit that the transfer is part of; absent where it was posted by itself. */
    readonly depositId?: string;
    readonly before: string;
    readonly after: string;
  }
>;

/** Another asset is to be paid, at the address and for the amount shown for it. */
export type PaymentRequestAssetSelected = DomainEvent<'payment_request.asset_selected', AskedAsset>;

/** More was seen, or less after a reorganisation, without a change of status. */
export type PaymentRequestReceivedChanged = DomainEvent<
  'payment_request.received_changed',
  { readonly receivedAmount: string }
>;

/** The window ends early, because another request replaced this one. */
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
