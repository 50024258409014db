import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { HistoryEntry } from '../../domain/requests/payment-request-facts.js';
import type { TransferKind } from '../../domain/requests/transfer.js';
import type { AskedView, PaymentRequestFactsView } from './payment-request-facts-view.js';
import type { CheckoutView } from './checkout-view.js';

/** What a payment token with an instruction is made of. */
export interface PaymentRequestToSign extends PaymentRequestFactsView, AskedView {}

/** A payment request in one asset as its merchant reads it when it was created. */
export interface PaymentRequestView extends PaymentRequestToSign {
  /** The payment token as the payer was shown it. */
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
  /** In chain order; at most a hundred: those that count before those that are booked otherwise, and these before others. */
  readonly transfers: readonly TransferView[];
  readonly history: readonly HistoryEntry[];
}

/** How the ledger books a transfer: as part of what its request received, or as a deposit. */
export type BookedAs = 'payment_in' | 'deposit';

/**
 * A transfer to the request's address that is in the chain as it was last read, or that disappeared from it after it was
 * booked.
 */
export interface TransferView {
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
  readonly blockNumber: number;
  readonly blockTime: Date;
  /** 1 for a transfer in the newest block read; at most `requiredConfirmations`; 0 for one that has disappeared. */
  readonly confirmations: number;
  /** As its network asked for when it was read. */
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

/** Reads past the aggregate: one statement each. */
export abstract class PaymentRequestQueries {
  /** @throws not_found, also for another tenant's and for one of another point of sale */
  abstract find(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    id: PaymentRequestId,
  ): Promise<PaymentRequestProgressView>;
}
