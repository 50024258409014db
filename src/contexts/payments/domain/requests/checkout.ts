import type { PaymentLinkId } from '#shared/kernel/ids.js';
import type { Merchant } from '#contexts/point-of-sale/contract/points-of-sale.js';

/** What makes a payment request payable by a hosted page, and by wallets that ask for the payment. */
export interface Checkout {
  /** At least 128 random bits: knowing it is the permission to read and pay. */
  readonly sessionId: string;
  /** The price: a decimal string in whole units of `coinCode`. */
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  /** Unique asset ids that the payer may choose from; at least one. */
  readonly paymentOptions: readonly string[];
  /** As shown to the payer; later changes of the point of sale do not change it. */
  readonly merchant: Merchant;
  readonly returnUrl?: string;
  /** Sites that may show the hosted page in a frame. */
  readonly frameOrigins: readonly string[];
  readonly paymentLinkId?: PaymentLinkId;
}
