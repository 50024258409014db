import type { Merchant } from '../../point-of-sale/contract/points-of-sale.js';
import type { PaymentRequestToSign } from './payment-request-view.js';

/** Public keys by issuer and key id, as wallets fetch them. */
export type PublicKeys = Record<string, Record<string, { readonly publicKey: string; readonly kep: string }>>;

/** Signs what a payer's wallet reads: only requests of this service, never data that a caller hands in. */
export abstract class PaymentTokens {
  /** A NASPIP token with the payment instruction; the same request gives the same token. */
  abstract issue(request: PaymentRequestToSign, merchant: Merchant): string;
  abstract publicKeys(): PublicKeys;
}
