import { formatAmount } from '../../../../../shared/kernel/amount.js';
import type { Merchant } from '../../../../point-of-sale/contract/points-of-sale.js';
import type { Order } from '../../../application/requests/order.js';
import type { AskedView } from '../../../application/requests/payment-request-facts-view.js';
import type { NaspipOrder, NaspipPayment } from '../../../../../shared/naspip/naspip-payload.js';

/** What is to be paid, with a closed amount. */
export function paymentOf(asked: AskedView & { id: string; expiresAt: Date }): NaspipPayment {
  const { id, address, uniqueAssetId, amount, decimals, expiresAt } = asked;
  return { id, address, uniqueAssetId, isOpen: false, amount: formatAmount(amount, decimals), expiresAt };
}

/** A wallet shows who is to be paid, also where the merchant sent no order of its own. */
export function naspipOrder(order: Order, pointOfSale: Merchant): NaspipOrder {
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
