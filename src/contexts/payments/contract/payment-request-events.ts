import type { DomainEvent } from '#shared/kernel/domain-event.js';
import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';

/** Documented in docs/reference/payments.md, "States". */
export const PAYMENT_REQUEST_STATUSES = [
  'pending',
  'created',
  'processing',
  'completed',
  'overpaid',
  'underpaid',
  'expired',
  'failed',
] as const;
export type PaymentRequestStatus = (typeof PAYMENT_REQUEST_STATUSES)[number];

/** Amount in smallest units as a decimal integer. */
export interface RequestedAsset {
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

/** `aggregateId` is the id of the request. */
export type PaymentRequestStatusChanged = DomainEvent<
  'payment_request.status_changed',
  {
    readonly status: PaymentRequestStatus;
    readonly paymentRequestType: 'fixed';
    readonly pointOfSaleId: string;
    readonly referenceId?: string;
    /** Present only in the first event, so that the database row can be verified against the events. */
    readonly opened?: {
      readonly expiresAt: string;
      /** Absent until the payer selects an asset. */
      readonly asked?: RequestedAsset;
      readonly underpaymentTolerance?: UnderpaymentTolerance;
    };
    /** Present only in the event for the first transfer. */
    readonly receivedAmount?: string;
    readonly underpaymentAccepted?: true;
  }
>;

/** The merchant accepted the received amount after the request had ended `underpaid`. The status stays. */
export type PaymentRequestAcceptedAsPaid = DomainEvent<
  'payment_request.accepted_as_paid',
  Pick<PaymentRequestStatusChanged['data'], 'paymentRequestType' | 'pointOfSaleId' | 'referenceId'> & {
    readonly status: 'underpaid';
    readonly underpaymentAccepted: true;
  }
>;

/**
 * The ledger must post the final payment exactly once. Amounts are decimal integers in smallest units. Hashes and
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
    /** Fee in the settlement terms of the deposit address. */
    readonly feeBasisPoints: number;
    /** Present if received funds belong to the merchant immediately. */
    readonly delivered?: true;
    readonly referenceId?: string;
    readonly to: string;
    /** The last counted transfer's sender. The zero address if the sender is unknown. */
    readonly from: string;
    /** Absent if the payment was received inside a contract call, because its transaction is unknown. */
    readonly transactionHash?: string;
    readonly paidAt?: string;
  }
>;

/**
 * `late`: after the deadline and the grace period of the network. `after_outcome`: in time, but the request had
 * ended. `other_asset`: not the asset requested at this address.
 */
export type DepositReason = 'late' | 'after_outcome' | 'other_asset';

/** The last transfer of an aggregated deposit, or the only one. Amounts are decimal integers in smallest units. */
interface BookedTransfer {
  readonly transferId: string;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly feeBasisPoints: number;
  readonly delivered?: true;
  readonly pointOfSaleId: string;
  readonly referenceId?: string;
  readonly to: string;
  /** The zero address if the sender is unknown. */
  readonly from: string;
  readonly transactionHash?: string;
  readonly paidAt?: string;
}

/** The ledger must post final funds that are not part of the payment exactly once. */
export type PaymentRequestDepositReceived = DomainEvent<
  'payment_request.deposit_received',
  BookedTransfer & {
    /** Sum of all transfers of an aggregated deposit. */
    readonly amount: string;
    readonly reason: DepositReason;
    /** Number of `transfers` in an aggregated deposit, and the UTC day (YYYY-MM-DD) of their blocks. */
    readonly gathered?: { readonly transfers: number; readonly on: string };
  }
>;

/**
 * The ledger must reverse a posted transfer that disappeared from the chain exactly once. `before` and `after`: the
 * unreversed amounts of the posting before and after this event.
 */
export type PaymentRequestCreditReversed = DomainEvent<
  'payment_request.credit_reversed',
  BookedTransfer & {
    readonly postedAs: 'payment_in' | 'deposit';
    /** `transferId` of the aggregated deposit. Absent if the transfer was posted separately. */
    readonly depositId?: string;
    readonly before: string;
    readonly after: string;
  }
>;

/** Documented in docs/reference/webhooks.md, "Incoming transfers". */
export const INCOMING_TRANSFER_STATUSES = ['processing', 'completed', 'reversed'] as const;

/**
 * Funds outside the payment: `processing` when they appear in a block, `completed` with `deposit_received`, `reversed`
 * with `credit_reversed`. Transfers that counted at first, and small ones, have no `processing`.
 */
export type PaymentRequestIncomingTransferChanged = DomainEvent<
  'payment_request.incoming_transfer_changed',
  BookedTransfer &
    Pick<PaymentRequestDepositReceived['data'], 'gathered'> & {
      readonly status: (typeof INCOMING_TRANSFER_STATUSES)[number];
      /** The amount of the transfer or, of an aggregated deposit, the sum when `completed`. */
      readonly amount: string;
    }
>;

/** The payer must now pay another asset, with its own address and amount. */
export type PaymentRequestAssetSelected = DomainEvent<'payment_request.asset_selected', RequestedAsset>;

/** The received amount changed, but not the status. The amount can decrease after a reorganization. */
export type PaymentRequestReceivedChanged = DomainEvent<
  'payment_request.received_changed',
  { readonly receivedAmount: string }
>;

/** The payment window ended early, because another request replaced this one or the merchant ended it. */
export type PaymentRequestWindowClosed = DomainEvent<
  'payment_request.window_closed',
  { readonly expiresAt: string }
>;

export type PaymentRequestEvent =
  | PaymentRequestStatusChanged
  | PaymentRequestAcceptedAsPaid
  | PaymentRequestConfirmed
  | PaymentRequestAssetSelected
  | PaymentRequestReceivedChanged
  | PaymentRequestWindowClosed
  | PaymentRequestDepositReceived
  | PaymentRequestCreditReversed
  | PaymentRequestIncomingTransferChanged;
