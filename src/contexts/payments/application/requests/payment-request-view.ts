import type { DeliveryRecord } from '../../contract/delivery-records.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type {
  PaymentRequestFacts,
  Checkout,
  HistoryEntry,
} from '../../domain/requests/payment-request-facts.js';
import type { Selection } from '../../domain/requests/selection.js';
import { CheckoutEnded } from '../../domain/requests/asset-change-rule.js';
import { isEnded } from '../../domain/requests/status.js';
import type { Rate } from '#contexts/rates/contract/quotes.js';
import type { TransferKind } from '#contexts/chain-watching/contract/incoming-transfer.js';
import type { TimeRange } from '#shared/kernel/instant.js';
import { stateConflict } from '#shared/kernel/domain-error.js';

/** The facts of a request that its creation sets, and its status, whatever it is to be paid in. */
export interface PaymentRequestFactsView extends Omit<PaymentRequestFacts, 'underpaymentTolerance'> {
  readonly type: 'fixed';
  readonly status: PaymentRequestStatus;
  /** Completed, overpaid, or underpaid by no more than its tolerance. */
  readonly fulfilled: boolean;
  readonly expiresAt: Date;
}

/** The asset and amount to be paid, and where. Amounts are smallest units of the asset with `decimals`. */
export interface AskedView extends Pick<
  Selection,
  'network' | 'uniqueAssetId' | 'currency' | 'decimals' | 'amount'
> {
  /** EIP-55 spelling. */
  readonly address: string;
}

/** A checkout session as anybody who knows its id may read it. */
export interface CheckoutView extends PaymentRequestFactsView, Checkout {
  readonly token: string;
  /** The code of the payment link that opened it. */
  readonly linkCode?: string;
  readonly selected?: SelectedView;
  /** It was read by its alias, which is its `sessionId` here: the caller knows nothing but the printed code. */
  readonly isAlias?: boolean;
  /** Sums received in assets that were not selected; none below the minimum of its asset. */
  readonly otherAssets?: readonly OtherAssetView[];
}

export interface OtherAssetView {
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly amount: bigint;
}

export interface SelectedView extends AskedView {
  readonly rate?: Rate;
  /** Counted transfers, final or not. */
  readonly receivedAmount: bigint;
  /** The newest block read of its network; confirmations are counted from it. */
  readonly headNumber: number;
  /** The counted transfers, in chain order. */
  readonly transfers: readonly CountedTransferView[];
}

export interface CountedTransferView {
  /** Null for a `balance`: no transaction is known to have brought it. */
  readonly transactionHash: string | null;
  /** `Infinity` while it is in no block. */
  readonly blockNumber: number;
  /** The time by which it is in time. */
  readonly arrivedAt: Date;
  readonly requiredConfirmations: number;
}

/** The fields from which a payment token with an instruction is made. */
export interface PaymentRequestToSign extends PaymentRequestFactsView, AskedView {}

/** A payment request in one asset as its merchant reads it when it was created. */
export interface PaymentRequestView extends PaymentRequestToSign {
  /** The payment token that the payer saw. */
  readonly token: string;
}

/** A payment request, and how far its payment has come. */
export interface PaymentRequestProgressView extends PaymentRequestFactsView {
  readonly token: string;
  /** Absent while the payer of a checkout has not chosen. */
  readonly asked?: AskedView;
  /** Absent for a request without a hosted page. */
  readonly checkout?: CheckoutView;
  /** Counted transfers, final or not. */
  readonly receivedAmount: bigint;
  readonly confirmedAt?: Date;
  /** The last part of the URL of its receipt; absent where there is none. */
  readonly receiptCode?: string;
  /** At most a hundred, in chain order. Those that count come before those booked otherwise, and these before others. */
  readonly transfers: readonly TransferView[];
  readonly history: readonly HistoryEntry[];
}

/** A payment request with what became of its money. */
export interface DeliveredRequestView extends PaymentRequestProgressView {
  readonly delivery: DeliveryRecord;
}

/** The ledger books a transfer as part of its request's payment, or as a deposit. */
export type BookedAs = 'payment_in' | 'deposit';

/** Times of a transfer on a network where transfers are followed before they are in a block. */
export interface TransferSight {
  readonly seenAt: Date;
  /** The time by which it is in time or late. */
  readonly arrivedAt: Date;
  /** In a block that is stamped no later, it has arrived when it was first seen. */
  readonly lapsesAt: Date;
  /** Absent while a node holds it, or a block. */
  readonly missingSince?: Date;
}

/**
 * A transfer to the request's address that is in the chain as it was last read, or that disappeared from it after it was
 * booked.
 */
export interface TransferView extends Partial<TransferSight> {
  readonly network: string;
  readonly kind: TransferKind;
  /** Absent for a `balance`: no transaction is known to have brought it. */
  readonly transactionHash?: string;
  /** The transfer's own asset, which need not be the one asked for; `decimals` are its fraction digits. */
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly decimals: number;
  /** The zero address for a `balance`, whose sender is not known. EIP-55 spelling, as `to`. */
  readonly from: string;
  readonly to: string;
  /** `Infinity` while it is in no block. */
  readonly blockNumber: number;
  /** While it is in no block, the time when it was first seen. */
  readonly blockTime: Date;
  /**
   * 1 for a transfer in the newest block read; at most `requiredConfirmations`, and all of them once it is final, also while a
   * shorter branch is read; 0 for one in no block or that has disappeared.
   */
  readonly confirmations: number;
  /** The setting of its network when it was read. */
  readonly requiredConfirmations: number;
  readonly final: boolean;
  readonly counted: boolean;
  /**
   * Not final before a cross-check: by a second endpoint where its amount is above its asset's `crossCheckAbove`; a
   * `balance`, however small, by reading balances again.
   */
  readonly awaitsCrossCheck: boolean;
  /** Absent while it is not booked. What was reversed was booked this way before. */
  readonly bookedAs?: BookedAs;
  readonly depositedAt?: Date;
  /** The UTC day, as YYYY-MM-DD, with whose others it becomes one deposit; absent where it does by itself, or counts. */
  readonly gatheredOn?: string;
  readonly reversedAt?: Date;
  readonly detectedAt: Date;
}

/** Each field that is present narrows a list of payment requests. */
export interface PaymentRequestFilter {
  readonly status?: PaymentRequestStatus;
  /** The merchant's own order id, whole. */
  readonly referenceId?: string;
  readonly created: TimeRange;
}

/** A payment request in a list: without its order, its token, its transfers and its history. */
export interface ListedPaymentRequest extends Omit<PaymentRequestFactsView, 'order' | 'organizationId'> {
  /** Absent while the payer of a checkout has not chosen. */
  readonly asked?: AskedView;
  /** Absent for a request without a hosted page. */
  readonly checkout?: ListedCheckout;
  /** Counted transfers, final or not. */
  readonly receivedAmount: bigint;
  readonly confirmedAt?: Date;
}

export type ListedCheckout = Pick<
  Checkout,
  'sessionId' | 'amount' | 'coinCode' | 'returnUrl' | 'paymentLinkId'
>;

/** @throws state_conflict if the checkout no longer accepts a payment */
export function requirePayable({ status, selected, expiresAt }: CheckoutView, now: Date): void {
  if (isEnded(status)) throw new CheckoutEnded();
  if (selected !== undefined && selected.receivedAmount >= selected.amount)
    throw stateConflict('This checkout is paid and awaits confirmations. Do not pay again.');
  // The outcome is open, but a transfer sent now may be too late.
  if (now >= expiresAt) throw new CheckoutEnded();
}
