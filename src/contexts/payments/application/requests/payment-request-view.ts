import type { SettlementAndRefunds } from '../../contract/settlement-and-refund-records.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type {
  PaymentRequestFacts,
  Checkout,
  StatusHistoryEntry,
} from '../../domain/requests/payment-request-facts.js';
import type { Selection } from '../../domain/requests/selection.js';
import { CheckoutEndedError } from '../../domain/requests/asset-change-rule.js';
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

/** Amounts are in smallest units of the asset. */
export interface PaymentDueView extends Pick<
  Selection,
  'network' | 'uniqueAssetId' | 'currency' | 'decimals' | 'amount'
> {
  readonly address: string;
}

/** The part of a checkout that anyone with the session id may see. */
export interface CheckoutView extends PaymentRequestFactsView, Checkout {
  readonly token: string;
  readonly linkCode?: string;
  readonly selected?: SelectedAssetView;
  /** The `sessionId` is then the alias. The caller knows only the code printed at the till. */
  readonly isAlias?: boolean;
  /** Assets that were never selected, without sums below the minimum of the asset. */
  readonly otherAssets?: readonly UncountedSumView[];
  /** Selected assets that were received too late or after the outcome. */
  readonly lateTransfers?: readonly UncountedSumView[];
}

export type UncountedSumView = Omit<PaymentDueView, 'address'>;

export interface SelectedAssetView extends PaymentDueView {
  readonly rate?: Rate;
  readonly receivedAmount: bigint;
  /** Newest block read, from which confirmations are counted. */
  readonly headNumber: number;
  /** Counted transfers in chain order. */
  readonly transfers: readonly CountedTransferView[];
}

export interface CountedTransferView extends Pick<
  TransferView,
  'transactionHash' | 'blockNumber' | 'requiredConfirmations'
> {
  readonly arrivedAt: Date;
}

export interface PaymentRequestTokenFields extends PaymentRequestFactsView, PaymentDueView {}

export interface PaymentRequestView extends PaymentRequestTokenFields {
  readonly token: string;
}

export interface PaymentRequestProgressView extends PaymentRequestFactsView {
  readonly token: string;
  readonly asked?: PaymentDueView;
  readonly checkout?: CheckoutView;
  /** Counted transfers, final or not. */
  readonly receivedAmount: bigint;
  readonly confirmedAt?: Date;
  readonly receiptCode?: string;
  /** At most one hundred, in chain order. Counted transfers are preferred, then other posted transfers. */
  readonly transfers: readonly TransferView[];
  readonly history: readonly StatusHistoryEntry[];
}

export interface PaymentRequestDetailView extends PaymentRequestProgressView {
  readonly delivery: SettlementAndRefunds;
}

export type PostingKind = 'payment_in' | 'deposit';

/** Present only on networks where the service follows transfers before they are in a block. */
export interface TransferFirstSeenView {
  readonly seenAt: Date;
  /** Decides whether the transfer is in time. */
  readonly arrivedAt: Date;
  /** If the block timestamp of the transfer is not later, the transfer counts as received when it was first seen. */
  readonly lapsesAt: Date;
  /** Time since which no node reports the transfer. Absent if a node reports it or it is in a block. */
  readonly missingSince?: Date;
}

/** May have disappeared from the chain after it was posted. */
export interface TransferView extends Partial<TransferFirstSeenView> {
  readonly network: string;
  readonly kind: TransferKind;
  /** Absent for kind `balance`, because the transaction is unknown. */
  readonly transactionHash?: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly decimals: number;
  /** The zero address for kind `balance`, because the sender is unknown. */
  readonly from: string;
  readonly to: string;
  /** `Infinity` until the transfer is in a block. */
  readonly blockNumber: number;
  /** Block timestamp. Until the transfer is in a block: the time when it was first seen. */
  readonly blockTime: Date;
  /**
   * 1 in the newest block read, 0 in no block. A final transfer keeps all confirmations while blocks are read again
   * after a reorganization.
   */
  readonly confirmations: number;
  /** Number configured when the transfer was read. */
  readonly requiredConfirmations: number;
  readonly final: boolean;
  readonly counted: boolean;
  /** True for amounts above `crossCheckAbove` of the asset, and for kind `balance`. */
  readonly awaitsCrossCheck: boolean;
  /** Absent until posted. Kept after a reversal. */
  readonly bookedAs?: PostingKind;
  readonly depositedAt?: Date;
  /** UTC day (YYYY-MM-DD) whose small transfers are aggregated into one deposit. Absent for all other transfers. */
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
  /** Read only for the dashboard. */
  readonly pointOfSaleName?: string;
}

export type ListedCheckout = Pick<
  Checkout,
  'sessionId' | 'amount' | 'coinCode' | 'returnUrl' | 'paymentLinkId'
>;

/** @throws state_conflict if the checkout no longer accepts a payment */
export function requirePayable({ status, selected, expiresAt }: CheckoutView, now: Date): void {
  if (isEnded(status)) throw new CheckoutEndedError();
  if (selected !== undefined && selected.receivedAmount >= selected.amount)
    throw stateConflict('This checkout is paid and awaits confirmations. Do not pay again.');
  // The checkout may still be paid by transfers sent earlier. A transfer sent now may be too late.
  if (now >= expiresAt) throw new CheckoutEndedError();
}
