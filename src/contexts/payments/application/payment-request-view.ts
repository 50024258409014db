import type { HistoryStatus } from '../domain/status.js';
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
  /** In chain order; at most a hundred, those that count before others, the earliest first. */
  readonly transfers: readonly TransferView[];
  readonly history: readonly { readonly status: HistoryStatus; readonly at: Date }[];
}

/** A transfer to the request's address that stands in the chain as it was last read. */
export interface TransferView {
  readonly transactionHash: string;
  readonly amount: bigint;
  /** Fraction digits of the transfer's own asset, which need not be the one asked for. */
  readonly decimals: number;
  readonly from: string;
  /** 1 for a transfer in the newest block read; at most `requiredConfirmations`. */
  readonly confirmations: number;
  /** As its network asked for when it was read. */
  readonly requiredConfirmations: number;
  readonly final: boolean;
  readonly counted: boolean;
  readonly detectedAt: Date;
}
