import type { PaymentLinkId } from '../../../../shared/kernel/ids.js';
import type { Merchant } from '../../../point-of-sale/contract/points-of-sale.js';

/** What makes a payment request payable by a hosted page, and by wallets that ask for the payment. */
export interface Checkout {
  /** At least 128 random bits: whoever knows it may read and pay. */
  readonly sessionId: string;
  /** The price: a decimal string in whole units of `coinCode`. */
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  /** Unique asset ids that the payer may choose from; at least one. */
  readonly paymentOptions: readonly string[];
  /** As the payer was shown it, whatever the point of sale says later. */
  readonly merchant: Merchant;
  readonly returnUrl?: string;
  /** Sites that may show the hosted page in a frame. */
  readonly frameOrigins: readonly string[];
  readonly paymentLinkId?: PaymentLinkId;
}
