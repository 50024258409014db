import type { Rate } from '#contexts/rates/contract/rate.js';
import type { Checkout } from '../../domain/requests/checkout.js';
import type { AskedView, PaymentRequestFactsView } from './payment-request-facts-view.js';

/** A checkout session as anybody who knows its id may read it. */
export interface CheckoutView extends PaymentRequestFactsView, Checkout {
  readonly token: string;
  /** Of the payment link that opened it. */
  readonly linkCode?: string;
  readonly selected?: SelectedView;
}

export interface SelectedView extends AskedView {
  readonly rate?: Rate;
  /** Counted transfers, final or not. */
  readonly receivedAmount: bigint;
  /** The newest block read of its network: what confirmations are counted from. */
  readonly headNumber: number;
  /** The counted transfers, in chain order. */
  readonly transfers: readonly CountedTransferView[];
}

export interface CountedTransferView {
  /** Null for a `balance`: no transaction is known to have brought it. */
  readonly transactionHash: string | null;
  readonly blockNumber: number;
}
