import type { Merchant } from '../../../point-of-sale/contract/points-of-sale.js';
import type { Rate } from '../../../rates/contract/rate.js';
import type { AskedView, PaymentRequestFactsView } from './payment-request-facts-view.js';

/** A checkout session as anybody who knows its id may read it. */
export interface CheckoutView extends PaymentRequestFactsView {
  readonly sessionId: string;
  readonly token: string;
  /** The price: a decimal string in whole units of `coinCode`. */
  readonly amount: string;
  readonly coinCode: string;
  /** Unique asset ids that the payer may choose from. */
  readonly paymentOptions: readonly string[];
  readonly merchant: Merchant;
  readonly returnUrl?: string;
  readonly frameOrigins: readonly string[];
  /** Of the payment link that opened it. */
  readonly paymentLinkId?: string;
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
