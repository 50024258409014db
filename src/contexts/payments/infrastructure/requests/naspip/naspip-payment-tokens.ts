import { Injectable, Logger } from '@nestjs/common';
import { DomainError, invalidField } from '../../../../../shared/kernel/domain-error.js';
import type { Merchant } from '../../../../point-of-sale/contract/points-of-sale.js';
import type { PaymentRequestToSign } from '../../../application/requests/payment-request-view.js';
import {
  PaymentTokens,
  type CheckoutToSign,
  type PublicKeys,
} from '../../../application/requests/payment-tokens.js';
import { PaymentsSettings } from '../payments-settings.js';
import { naspipOrder, paymentOf } from './naspip-instruction.js';
import { NaspipSigner, type NaspipTokenRequest } from '../../../../../shared/naspip/naspip-signer.js';
import { NaspipTokenInvalid } from '../../../../../shared/naspip/naspip-token-invalid.js';

/** Payment tokens as NASPIP tokens: a payment instruction with a closed amount, or the URL that gives one. */
@Injectable()
export class NaspipPaymentTokens extends PaymentTokens {
  private readonly log = new Logger('payments');
  private readonly signer: NaspipSigner;
  private saidOver = false;

  constructor(private readonly settings: PaymentsSettings) {
    super();
    this.signer = new NaspipSigner(settings.naspip);
  }

  issue(request: PaymentRequestToSign, merchant: Merchant): string {
    const { createdAt: issuedAt, expiresAt } = request;
    const { expiresAt: _theTokens, ...payment } = paymentOf(request);
    const order = request.order ?? { total: payment.amount!, coin_code: request.currency };
    return this.sign({ payload: { payment, order: naspipOrder(order, merchant) }, issuedAt, expiresAt });
  }

  /** The order is only summed up: the wallet gets it whole with the payment, and a QR code has little room. */
  issueForCheckout(checkout: CheckoutToSign, { name }: Merchant): string {
    const { url, amount, coinCode, paymentOptions, createdAt, expiresAt } = checkout;
    const order = { total: amount, coinCode, merchant: { name } };
    const payload = { url, paymentOptions: [...paymentOptions], order };
    return this.sign({ payload, issuedAt: createdAt, expiresAt });
  }

  private sign(request: NaspipTokenRequest): string {
    if (request.expiresAt > this.settings.naspip.keyExpiresAt) throw this.keyIsOver();
    try {
      return this.signer.sign(request);
    } catch (error) {
      if (!(error instanceof NaspipTokenInvalid)) throw error;
      throw invalidField('order', 'payment_token', `does not fit into a payment token: ${error.message}`);
    }
  }

  publicKeys(): PublicKeys {
    return this.signer.publicKeys();
  }

  /** Wallets refuse what outlives its key, so nothing can be collected until the operator has rotated it. */
  private keyIsOver(): DomainError {
    const { keyId, keyExpiresAt } = this.settings.naspip;
    if (!this.saidOver) {
      this.log.error(
        `The NASPIP key ${keyId} expires at ${keyExpiresAt.toISOString()}, before payment requests made now do: ` +
          'none can be created. Rotate it.',
      );
    }
    this.saidOver = true;
    return new DomainError(
      'unavailable',
      'unavailable',
      'The key that signs payment tokens has expired, so no payment request can be created. ' +
        'The operator of this service has to replace it.',
    );
  }
}
