import type { NaspipOrder } from '../../../../../shared/naspip/naspip-payload.js';
import type { Merchant } from '../../../../point-of-sale/contract/points-of-sale.js';
import type { Order } from '../../../domain/requests/order.js';

/** A wallet shows who is to be paid, also where the merchant sent no order of its own. */
export function naspipOrder(order: Order, pointOfSale: Merchant): NaspipOrder {
  const merchant =
    order.merchant === undefined ? pointOfSale : { ...order.merchant, taxId: order.merchant.tax_id };
  const { name, description, taxId, image, mcc } = merchant;
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
