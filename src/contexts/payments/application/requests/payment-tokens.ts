import type { NaspipPublicKeys, VerifiedNaspipToken } from '#shared/naspip/naspip-token.js';
import type { Merchant } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { Checkout } from '../../domain/requests/checkout.js';
import type { PaymentRequestToSign } from './payment-request-view.js';

/** What a payment token of a checkout is made of. */
export interface CheckoutToSign extends Pick<Checkout, 'amount' | 'coinCode' | 'paymentOptions'> {
  /** Where a wallet asks what to pay. */
  readonly url: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What a token with a payment instruction asks for. */
export interface AskedByToken {
  readonly id: string;
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly amount: string;
  /** Of a checkout: its token may name where a wallet asks for the payment instead of carrying it. */
  readonly mayNameUrl: boolean;
}

/** Signs what a payer's wallet reads: only requests of this service, never data that a caller hands in. */
export abstract class PaymentTokens {
  /** A NASPIP token with the payment instruction; the same request gives the same token. */
  abstract issue(request: PaymentRequestToSign, merchant: Merchant): string;
  /** A NASPIP token that names where a wallet asks for the payment; the same checkout gives the same token. */
  abstract issueForCheckout(checkout: CheckoutToSign, merchant: Merchant): string;
  /** Whether a token of this service carries the payment, instead of naming where a wallet asks for it. Verifies nothing. */
  abstract carriesPayment(token: string): boolean;
  /**
   * Whether one of the present keys signed this token, for this payment.
   * @returns why not, as a sentence; null where it is good, or where another key signed it, which is kept no more
   */
  abstract flawOf(token: string, at: Date, asked: AskedByToken): string | null;
  /**
   * A token that one of the present keys has signed, as a wallet verifies it at that time.
   * @throws NaspipTokenInvalid, also where another key signed it: keys of others are not looked for
   */
  abstract read(token: string, at: Date): VerifiedNaspipToken;
  /** As wallets fetch them: all that are known, also those that sign later or no more. */
  abstract publicKeys(): NaspipPublicKeys;
}
