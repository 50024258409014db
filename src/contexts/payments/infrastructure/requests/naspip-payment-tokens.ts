import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { type DomainError, invalidField, unavailable } from '#shared/kernel/domain-error.js';
import type { ScheduledSigningKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { NaspipOrder, NaspipPayload } from '#shared/naspip/naspip-payload.js';
import type { Merchant } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { PaymentRequestTokenFields } from '../../application/requests/payment-request-view.js';
import { resolveMerchant, type Order } from '../../domain/requests/order.js';
import {
  PaymentTokenIssuer,
  type ExpectedTokenContent,
  type CheckoutTokenFields,
} from '../../application/requests/payment-token-issuer.js';
import { PaymentsSettings } from '../../application/requests/payments-settings.js';
import { NaspipSigner, type NaspipTokenRequest } from '#shared/naspip/naspip-signer.js';
import { NaspipTokenInvalid } from '#shared/naspip/naspip-token-invalid.js';
import {
  decodeNaspipToken,
  keyLookupIn,
  verifyNaspipToken,
  type NaspipPublicKey,
  type NaspipPublicKeys,
  type VerifiedNaspipToken,
} from '#shared/naspip/naspip-token.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { PAYMENTS_LOG_EVENTS } from '../log-events.js';

@Injectable()
export class NaspipPaymentTokens extends PaymentTokenIssuer {
  private readonly log = new OperatorLogWriter('payments', PAYMENTS_LOG_EVENTS);
  private readonly ring: SigningKeyRing<ScheduledSigningKey & { signer: NaspipSigner }>;
  private published: NaspipPublicKeys = {};
  private loggedKey = '';

  constructor({ naspip: { issuer, keys } }: PaymentsSettings) {
    super();
    this.ring = keys.deriveRing(({ id: keyId, secretKey, endsAt: keyExpiresAt }) => ({
      signer: new NaspipSigner({ issuer, keyId, secretKey, keyExpiresAt }),
    }));
    this.ring.follow((all) => {
      const ofIssuer = all.map(({ signer }) => signer.publicKeys()[issuer]!);
      this.published = { [issuer]: Object.assign({}, ...ofIssuer) as Record<string, NaspipPublicKey> };
    });
  }

  issue(request: PaymentRequestTokenFields, merchant: Merchant): string {
    const { id, address, uniqueAssetId, createdAt: issuedAt, expiresAt } = request;
    const amount = formatAmount(request.amount, request.decimals);
    const order = naspipOrder(request.order ?? { total: amount, coin_code: request.currency }, merchant);
    const payment = { id, address, uniqueAssetId, isOpen: false, amount };
    return this.sign({ payload: { payment, order }, issuedAt, expiresAt });
  }

  /** Signs only a summary of the order, because a QR code has little room. */
  issueForCheckout(checkout: CheckoutTokenFields, { name }: Merchant): string {
    const { url, amount, coinCode, paymentOptions, createdAt, expiresAt } = checkout;
    const order = { total: amount, coinCode, merchant: { name } };
    const payload = { url, paymentOptions: [...paymentOptions], order };
    return this.sign({ payload, issuedAt: createdAt, expiresAt });
  }

  private sign(request: NaspipTokenRequest): string {
    const key = this.ring.signingKeyAt(request.issuedAt, request.expiresAt);
    if (key === undefined) throw this.keysEndedError();
    try {
      return key.signer.sign(request);
    } catch (error) {
      if (!(error instanceof NaspipTokenInvalid)) throw error;
      throw invalidField('order', 'payment_token', `does not fit in a payment token: ${error.message}.`);
    }
  }

  carriesPayment(token: string): boolean {
    try {
      return 'payment' in decodeNaspipToken(token).payload;
    } catch (error) {
      if (error instanceof NaspipTokenInvalid) return false;
      throw error;
    }
  }

  findTokenError(token: string, at: Date, asked: ExpectedTokenContent): string | null {
    const published = keyLookupIn(this.published);
    try {
      const known = decodeNaspipToken(token);
      if (published(known.issuer, known.keyId) === undefined) return null;
      const { payload } = verifyNaspipToken(token, published, at);
      if (isRequestedPayment(payload, asked)) return null;
      return 'it requests another payment than its payment request';
    } catch (error) {
      if (!(error instanceof NaspipTokenInvalid)) throw error;
      return error.message;
    }
  }

  read(token: string, at: Date): VerifiedNaspipToken {
    try {
      return verifyNaspipToken(token, keyLookupIn(this.published), at);
    } catch (error) {
      if (!(error instanceof NaspipTokenInvalid)) throw error;
      throw invalidField('token', error.reason, `${error.message}.`);
    }
  }

  publicKeys(): NaspipPublicKeys {
    return this.published;
  }

  /** Wallets reject a token that outlives its key. The operator must rotate the key. */
  private keysEndedError(): DomainError {
    const endOf = ({ endsAt }: ScheduledSigningKey) => endsAt?.getTime() ?? 0;
    const last = this.ring.allKeys.reduce((latest, key) => (endOf(key) > endOf(latest) ? key : latest));
    if (this.loggedKey !== last.id)
      this.log.write('signing_keys.expired', { key_id: last.id, expires_at: last.endsAt });
    this.loggedKey = last.id;
    return unavailable(
      'The key that signs payment tokens expires too soon, so payment requests cannot be created. The operator ' +
        'of this service must replace the key.',
    );
  }
}

/** Names the merchant even if the request has no order. */
function naspipOrder(order: Order, pointOfSale: Merchant): NaspipOrder {
  const { name, description, taxId, image, mcc } = resolveMerchant(order, pointOfSale);
  return {
    total: order.total,
    coinCode: order.coin_code,
    description: order.description,
    merchant: { name, description, taxId, image, mcc },
    items: order.items?.map((item) => ({
      description: item.description,
      amount: item.amount,
      coinCode: item.coin_code,
      unitPrice: item.unit_price,
      quantity: item.quantity,
    })),
  };
}

function isRequestedPayment(
  payload: NaspipPayload,
  { id, address, uniqueAssetId, amount, mayNameUrl }: ExpectedTokenContent,
): boolean {
  if (!('payment' in payload)) return mayNameUrl;
  const { payment } = payload;
  return (
    payment.address.toLowerCase() === address.toLowerCase() &&
    [payment.id, payment.uniqueAssetId, payment.amount].join(' ') === [id, uniqueAssetId, amount].join(' ')
  );
}
