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

export interface PaymentRequestFactsView extends Omit<PaymentRequestFacts, 'underpaymentTolerance'> {
  readonly type: 'fixed';
  readonly status: PaymentRequestStatus;
  /** True if completed, overpaid, or underpaid within the tolerance. */
  readonly fulfilled: boolean;
  readonly expiresAt: Date;
}

/** Asset, amount and address to pay. Amounts are smallest units of the asset with `decimals`. */
export interface AskedView extends Pick<
  Selection,
  'network' | 'uniqueAssetId' | 'currency' | 'decimals' | 'amount'
> {
  /** EIP-55 checksum format. */
  readonly address: string;
}

/** Visible to anyone with the session id. */
export interface CheckoutView extends PaymentRequestFactsView, Checkout {
  readonly token: string;
  readonly linkCode?: string;
  readonly selected?: SelectedView;
  /** The session was read by its alias, which is then the `sessionId`. The caller knows only the printed code. */
  readonly isAlias?: boolean;
  /** Sums received in assets that were not selected. Omits sums below the asset's minimum. */
  readonly otherAssets?: readonly OtherAssetView[];
}

export type OtherAssetView = Omit<AskedView, 'address'>;

export interface SelectedView extends AskedView {
  readonly rate?: Rate;
  /** Counted transfers, final or not. */
  readonly receivedAmount: bigint;
  /** Newest block read, from which confirmations are counted. */
  readonly headNumber: number;
  /** In chain order. */
  readonly transfers: readonly CountedTransferView[];
}

export interface CountedTransferView extends Pick<
  TransferView,
  'transactionHash' | 'blockNumber' | 'requiredConfirmations'
> {
  /** Time that decides whether the transfer is in time. */
  readonly arrivedAt: Date;
}

export interface PaymentRequestToSign extends PaymentRequestFactsView, AskedView {}

export interface PaymentRequestView extends PaymentRequestToSign {
  readonly token: string;
}

export interface PaymentRequestProgressView extends PaymentRequestFactsView {
  readonly token: string;
  /** Absent until the payer of a checkout selects an asset. */
  readonly asked?: AskedView;
  /** Absent if the request has no hosted page. */
  readonly checkout?: CheckoutView;
  /** Counted transfers, final or not. */
  readonly receivedAmount: bigint;
  readonly confirmedAt?: Date;
  /** Last segment of the receipt URL; absent if there is no receipt. */
  readonly receiptCode?: string;
  /** At most one hundred transfers in chain order. Prefers counted transfers, then other posted transfers. */
  readonly transfers: readonly TransferView[];
  readonly history: readonly HistoryEntry[];
}

export interface DeliveredRequestView extends PaymentRequestProgressView {
  readonly delivery: DeliveryRecord;
}

export type BookedAs = 'payment_in' | 'deposit';

/** Present on networks where the service follows transfers before they are in a block. */
export interface TransferSight {
  readonly seenAt: Date;
  /** Time that decides whether the transfer is in time. */
  readonly arrivedAt: Date;
  /** If its block timestamp is no later than this, the transfer counts as received when it was first seen. */
  readonly lapsesAt: Date;
  /** Absent while a node reports the transfer, or it is in a block. */
  readonly missingSince?: Date;
}

/** Includes transfers that disappeared from the chain after they were posted. */
export interface TransferView extends Partial<TransferSight> {
  readonly network: string;
  readonly kind: TransferKind;
  /** Absent for a `balance`, whose transaction is unknown. */
  readonly transactionHash?: string;
  /** Asset of the transfer, which may differ from the requested asset. `decimals` are its fraction digits. */
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly decimals: number;
  /** The zero address for a `balance`, whose sender is unknown. EIP-55 checksum format, like `to`. */
  readonly from: string;
  readonly to: string;
  /** `Infinity` until the transfer is in a block. */
  readonly blockNumber: number;
  /** Until the transfer is in a block, the time at which it was first seen. */
  readonly blockTime: Date;
  /**
   * 1 for the newest block read; at most `requiredConfirmations`. A final transfer always has all of them, even while a shorter
   * branch is read. 0 if the transfer is in no block or has disappeared.
   */
  readonly confirmations: number;
  /** Setting of the network when the transfer was read. */
  readonly requiredConfirmations: number;
  readonly final: boolean;
  readonly counted: boolean;
  /**
   * Awaits a cross-check before finality. A second endpoint checks amounts above the asset's `crossCheckAbove`. For a `balance`
   * of any amount, balances are read again.
   */
  readonly awaitsCrossCheck: boolean;
  /** Absent until posted. Kept after a reversal. */
  readonly bookedAs?: BookedAs;
  readonly depositedAt?: Date;
  /** UTC day (YYYY-MM-DD) whose small transfers become one deposit. Absent if the transfer counts or becomes a separate deposit. */
  readonly gatheredOn?: string;
  readonly reversedAt?: Date;
  readonly detectedAt: Date;
}

export interface PaymentRequestFilter {
  readonly status?: PaymentRequestStatus;
  /** Exact match. */
  readonly referenceId?: string;
  readonly created: TimeRange;
}

export interface ListedPaymentRequest extends Omit<
  PaymentRequestProgressView,
  'order' | 'organizationId' | 'token' | 'checkout' | 'receiptCode' | 'transfers' | 'history'
> {
  readonly checkout?: ListedCheckout;
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
