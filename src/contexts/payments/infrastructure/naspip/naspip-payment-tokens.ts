import { Injectable, Logger } from '@nestjs/common';
import { formatAmount } from '../../../../shared/kernel/amount.js';
import { DomainError, invalidField } from '../../../../shared/kernel/domain-error.js';
import type { Merchant } from '../../../point-of-sale/contract/points-of-sale.js';
import type { Order } from '../../application/order.js';
import type { PaymentRequestToSign } from '../../application/payment-request-view.js';
import { PaymentTokens, type PublicKeys } from '../../application/payment-tokens.js';
import { PaymentsSettings } from '../payments-settings.js';
import type { NaspipOrder } from './naspip-payload.js';
import { NaspipSigner } from './naspip-signer.js';
import { NaspipTokenInvalid } from './naspip-token-invalid.js';

/** Payment tokens as NASPIP payment instructions with a closed amount. */
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
    if (request.expiresAt > this.settings.naspip.keyExpiresAt) throw this.keyIsOver();
    const amount = formatAmount(request.amount, request.decimals);
    try {
      return this.signer.sign({
        payload: {
          payment: {
            id: request.id,
            address: request.address,
            uniqueAssetId: request.uniqueAssetId,
            isOpen: false,
            amount,
          },
          order: orderOf(request.order ?? { total: amount, coin_code: request.currency }, merchant),
        },
        issuedAt: request.createdAt,
        expiresAt: request.expiresAt,
      });
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

/** A wallet shows who is to be paid, also where the merchant sent no order of its own. */
function orderOf(order: Order, pointOfSale: Merchant): NaspipOrder {
  const merchant =
    order.merchant === undefined ? pointOfSale : { ...order.merchant, taxId: order.merchant.tax_id };
  return {
    total: order.total,
    coinCode: order.coin_code,
    ...(order.description === undefined ? {} : { description: order.description }),
    merchant: {
      name: merchant.name,
      ...(merchant.description === undefined ? {} : { description: merchant.description }),
      ...(merchant.taxId === undefined ? {} : { taxId: merchant.taxId }),
      ...(merchant.image === undefined ? {} : { image: merchant.image }),
      ...(merchant.mcc === undefined ? {} : { mcc: merchant.mcc }),
    },
    ...(order.items === undefined
      ? {}
      : {
          items: order.items.map((item) => ({
            description: item.description,
            amount: item.amount,
            coinCode: item.coin_code,
            ...(item.unit_price === undefined ? {} : { unitPrice: item.unit_price }),
            ...(item.quantity === undefined ? {} : { quantity: item.quantity }),
          })),
        }),
  };
}
