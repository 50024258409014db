import type { DomainEvent } from '../../../shared/kernel/domain-event.js';

/** States of a payment request that a reader can poll (specification, States and transitions). */
export type PaymentRequestStatus =
  'pending' | 'created' | 'processing' | 'completed' | 'underpaid' | 'overpaid' | 'expired' | 'failed';

/** The polled status became `status`. `aggregateId` is the payment request's id. */
export type PaymentRequestStatusChanged = DomainEvent<
  'payment_request.status_changed',
  {
    readonly status: PaymentRequestStatus;
    readonly paymentRequestType: 'fixed';
    readonly pointOfSaleId: string;
    readonly referenceId?: string;
  }
>;

/**
 * The ledger step: what was received is final and is to be posted, once. Amounts are smallest units as decimal
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
    /** By the terms of its address. */
    readonly feeBasisPoints: number;
    readonly referenceId?: string;
    /** The deposit address. */
    readonly to: string;
    /** Of the last counted transfer. */
    readonly from: string;
    readonly transactionHash: string;
  }
>;

/** Another asset is to be paid, at the address and for the amount shown for it. Amounts as above. */
export type PaymentRequestAssetSelected = DomainEvent<
  'payment_request.asset_selected',
  { readonly network: string; readonly uniqueAssetId: string; readonly amount: string }
>;

/** More was seen, or less after a reorganisation, without a change of status. */
export type PaymentRequestReceivedChanged = DomainEvent<
  'payment_request.received_changed',
  { readonly receivedAmount: string }
>;

/** Its window ends earlier than it was opened for: another request has taken its place. */
export type PaymentRequestWindowClosed = DomainEvent<
  'payment_request.window_closed',
  { readonly expiresAt: string }
>;

export type PaymentRequestEvent =
  | PaymentRequestStatusChanged
  | PaymentRequestConfirmed
  | PaymentRequestAssetSelected
  | PaymentRequestReceivedChanged
  | PaymentRequestWindowClosed;
