import type { NaspipPublicKeys, VerifiedNaspipToken } from '#shared/naspip/naspip-token.js';
import type { Merchant } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { Checkout } from '../../domain/requests/payment-request-facts.js';
import type { PaymentRequestToSign, CheckoutView } from './payment-request-view.js';
import { Injectable } from '@nestjs/common';
import { CheckoutUrls } from './checkout-urls.js';

/** The fields from which a checkout's payment token is made. */
export interface CheckoutToSign extends Pick<Checkout, 'amount' | 'coinCode' | 'paymentOptions'> {
  /** A wallet asks here what to pay. */
  readonly url: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A token with a payment instruction asks for this payment. */
export interface AskedByToken {
  readonly id: string;
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly amount: string;
  /** True for a checkout, whose token may name where a wallet asks for the payment instead of carrying it. */
  readonly mayNameUrl: boolean;
}

/** Signs what a payer's wallet reads: only requests of this service, never data that a caller hands in. */
export abstract class PaymentTokens {
  /** A NASPIP token with the payment instruction; the same for the same request. */
  abstract issue(request: PaymentRequestToSign, merchant: Merchant): string;
  /** A NASPIP token that names where a wallet asks for the payment; the same for the same checkout. */
  abstract issueForCheckout(checkout: CheckoutToSign, merchant: Merchant): string;
  /** True where a token of this service carries the payment, and does not name where a wallet asks for it. Verifies nothing. */
  abstract carriesPayment(token: string): boolean;
  /**
   * Checks that one of the present keys signed this token, for this payment.
   * @returns the flaw as a sentence; null where it is good, or where a key signed it that is no longer kept
   */
  abstract flawOf(token: string, at: Date, asked: AskedByToken): string | null;
  /**
   * Claims and payload of a token that one of the present keys has signed, verified as a wallet does. Fetches nothing.
   * @throws validation_failed on `token`; the rule is the protocol's that it breaks, `key_unknown` for keys of others
   */
  abstract read(token: string, at: Date): VerifiedNaspipToken;
  /** All known keys in the form that wallets fetch, also those that sign later or no longer. */
  abstract publicKeys(): NaspipPublicKeys;
}

/**
 * The token by which a session is to be paid now. One that names where a wallet asks leads to what is missing. One that
 * carries the payment asks for the whole amount, so once a part was received another one asks for the rest. The token of an alias
 * names the alias.
 */
@Injectable()
export class TokenToShow {
  constructor(
    private readonly tokens: PaymentTokens,
    private readonly urls: CheckoutUrls,
  ) {}

  /** @throws unavailable where the present keys expire before the session does */
  execute(session: CheckoutView): string {
    const { selected, token, status, isAlias, sessionId, merchant } = session;
    if (isAlias === true)
      return this.tokens.issueForCheckout({ ...session, url: this.urls.forWallets(sessionId) }, merchant);
    if (status !== 'processing' || selected === undefined) return token;
    const missing = selected.amount - selected.receivedAmount;
    if (missing <= 0n || missing === selected.amount || !this.tokens.carriesPayment(token)) return token;
    const order = session.order ?? { total: session.amount, coin_code: session.coinCode };
    return this.tokens.issue({ ...session, ...selected, order, amount: missing }, session.merchant);
  }
}
