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
  /** True if the request is completed, overpaid, or underpaid within the tolerance. */
  readonly fulfilled: boolean;
  readonly expiresAt: Date;
}

/** The asset, amount and address that the payer must pay. Amounts are in smallest units of the asset. */
export interface PaymentDueView extends Pick<
  Selection,
  'network' | 'uniqueAssetId' | 'currency' | 'decimals' | 'amount'
> {
  /** EIP-55 checksum format. */
  readonly address: string;
}

/** The part of a checkout that anyone with the session id may see. */
export interface CheckoutView extends PaymentRequestFactsView, Checkout {
  readonly token: string;
  readonly linkCode?: string;
  readonly selected?: SelectedView;
  /**
   * True if the session was read by its alias, which is then the `sessionId`. The caller knows only the code
   * printed at the till.
   */
  readonly isAlias?: boolean;
  /** Sums received in assets that were never selected. Sums below the minimum of the asset are omitted. */
  readonly otherAssets?: readonly OtherAssetView[];
}

export type OtherAssetView = Omit<PaymentDueView, 'address'>;

export interface SelectedView extends PaymentDueView {
  readonly rate?: Rate;
  /** Counted transfers, final or not. */
  readonly receivedAmount: bigint;
  /** Number of the newest block read, from which confirmations are counted. */
  readonly headNumber: number;
  /** Counted transfers in chain order. */
  readonly transfers: readonly CountedTransferView[];
}

export interface CountedTransferView extends Pick<
  TransferView,
  'transactionHash' | 'blockNumber' | 'requiredConfirmations'
> {
  /** Time that decides whether the transfer is in time. */
  readonly arrivedAt: Date;
}

export interface PaymentRequestToSign extends PaymentRequestFactsView, PaymentDueView {}

export interface PaymentRequestView extends PaymentRequestToSign {
  readonly token: string;
}

export interface PaymentRequestProgressView extends PaymentRequestFactsView {
  readonly token: string;
  /** Absent until the payer of a checkout selects an asset. */
  readonly asked?: PaymentDueView;
  /** Present if the request has a hosted page. */
  readonly checkout?: CheckoutView;
  /** Counted transfers, final or not. */
  readonly receivedAmount: bigint;
  readonly confirmedAt?: Date;
  /** Last segment of the receipt URL. Absent if there is no receipt. */
  readonly receiptCode?: string;
  /**
   * At most one hundred transfers in chain order. If there are more, counted transfers are preferred, then other
   * posted transfers.
   */
  readonly transfers: readonly TransferView[];
  readonly history: readonly HistoryEntry[];
}

export interface DeliveredRequestView extends PaymentRequestProgressView {
  readonly delivery: DeliveryRecord;
}

export type PostingKind = 'payment_in' | 'deposit';

/** Times of a transfer on networks where the service follows transfers before they are in a block. */
export interface TransferSightView {
  readonly seenAt: Date;
  /** Time that decides whether the transfer is in time. */
  readonly arrivedAt: Date;
  /** If the block timestamp of the transfer is not later, the transfer counts as received when it was first seen. */
  readonly lapsesAt: Date;
  /** Time since which no node reports the transfer. Absent if a node reports it or it is in a block. */
  readonly missingSince?: Date;
}

/** A transfer to an address of the request. May have disappeared from the chain after it was posted. */
export interface TransferView extends Partial<TransferSightView> {
  readonly network: string;
  readonly kind: TransferKind;
  /** Absent for kind `balance`, because the transaction is unknown. */
  readonly transactionHash?: string;
  /** Asset of the transfer, which may differ from the requested asset. */
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly decimals: number;
  /**
   * Sender in EIP-55 checksum format, like `to`. The zero address for kind `balance`, because the sender is
   * unknown.
   */
  readonly from: string;
  readonly to: string;
  /** `Infinity` until the transfer is in a block. */
  readonly blockNumber: number;
  /** Block timestamp. Until the transfer is in a block: the time when it was first seen. */
  readonly blockTime: Date;
  /**
   * Number of confirmations: 1 in the newest block read, at most `requiredConfirmations`. 0 if the transfer is in
   * no block. A final transfer always has all confirmations, even while blocks are read again after a
   * reorganisation.
   */
  readonly confirmations: number;
  /** Required confirmations of the network when the transfer was read. */
  readonly requiredConfirmations: number;
  readonly final: boolean;
  readonly counted: boolean;
  /**
   * True if the transfer becomes final only after a cross-check. A second endpoint must confirm amounts above
   * `crossCheckAbove` of the asset. For kind `balance`, balances are always read again.
   */
  readonly awaitsCrossCheck: boolean;
  /** Ledger posting of the transfer. Absent until posted. Kept after a reversal. */
  readonly bookedAs?: PostingKind;
  readonly depositedAt?: Date;
  /**
   * UTC day (YYYY-MM-DD) whose small transfers are aggregated into one deposit. Absent if the transfer counts or
   * becomes a separate deposit.
   */
  readonly gatheredOn?: string;
  readonly reversedAt?: Date;
  readonly detectedAt: Date;
}

export interface PaymentRequestFilter {
  readonly statuses?: readonly PaymentRequestStatus[];
  /** Must match the reference of the request exactly. */
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
  // Without a final outcome, the checkout may still be paid by transfers sent earlier. A transfer sent now may be
  // too late.
  if (now >= expiresAt) throw new CheckoutEnded();
}
