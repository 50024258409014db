import type { NaspipPublicKeys, VerifiedNaspipToken } from '#shared/naspip/naspip-token.js';
import type { Merchant } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { Checkout } from '../../domain/requests/payment-request-facts.js';
import type { PaymentRequestTokenFields, CheckoutView } from './payment-request-view.js';
import type { CheckoutUrls } from './checkout-urls.js';

export interface CheckoutTokenFields extends Pick<Checkout, 'amount' | 'coinCode' | 'paymentOptions'> {
  readonly url: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface ExpectedTokenContent {
  readonly id: string;
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly amount: string;
  /** The token of a checkout may contain a URL for the payment details instead of the payment. */
  readonly mayNameUrl: boolean;
}

/** Signs only requests of this service, never data provided by a caller. */
export abstract class PaymentTokenIssuer {
  /** Deterministic per request. */
  abstract issue(request: PaymentRequestTokenFields, merchant: Merchant): string;
  /** Deterministic per checkout. */
  abstract issueForCheckout(checkout: CheckoutTokenFields, merchant: Merchant): string;
  /** Does not verify the signature. */
  abstract carriesPayment(token: string): boolean;
  /** Null if the token is valid, or was signed with a key that is no longer stored. */
  abstract findTokenError(token: string, at: Date, asked: ExpectedTokenContent): string | null;
  /**
   * Verifies as a wallet does. Fetches no URL.
   * @throws validation_failed on `token`, with the violated rule, or `key_unknown`
   */
  abstract read(token: string, at: Date): VerifiedNaspipToken;
  /** Includes future and retired keys. */
  abstract publicKeys(): NaspipPublicKeys;
}

/**
 * A token with the payment requests the full amount, so a new token is issued after a partial payment.
 * @throws unavailable if the current keys expire before the session
 */
export function selectNaspipTokenToDisplay(
  session: CheckoutView,
  tokens: PaymentTokenIssuer,
  urls: CheckoutUrls,
): string {
  const { selected, token, status, isAlias, sessionId, merchant } = session;
  if (isAlias === true)
    return tokens.issueForCheckout({ ...session, url: urls.forWallets(sessionId) }, merchant);
  if (status !== 'processing' || selected === undefined) return token;
  const missing = selected.amount - selected.receivedAmount;
  if (missing <= 0n || missing === selected.amount || !tokens.carriesPayment(token)) return token;
  const order = session.order ?? { total: session.amount, coin_code: session.coinCode };
  return tokens.issue({ ...session, ...selected, order, amount: missing }, merchant);
}
