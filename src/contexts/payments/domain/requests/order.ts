import type { Merchant } from '#contexts/point-of-sale/contract/points-of-sale.js';

/** Format of the NASPIP order (docs/reference/payments.md, "Order"). Used only for display. */
export interface Order {
  readonly total: string;
  readonly coin_code: string;
  readonly description?: string;
  readonly merchant?: OrderMerchant;
  readonly items?: readonly OrderItem[];
}

export interface OrderMerchant {
  readonly name: string;
  readonly description?: string;
  readonly tax_id?: string;
  readonly image?: string;
  readonly mcc?: string;
}

export interface OrderItem {
  readonly description: string;
  readonly amount: string;
  readonly coin_code: string;
  readonly unit_price?: string;
  readonly quantity: number;
}

export interface PartialOrder extends Partial<Pick<Order, 'total' | 'coin_code' | 'description'>> {
  readonly merchant?: Partial<OrderMerchant>;
  readonly items?: readonly PartialOrderItem[];
}

export interface PartialOrderItem extends Omit<OrderItem, 'coin_code' | 'quantity'> {
  readonly coin_code?: string;
  readonly quantity?: number;
}

/** Decimal string in whole units of the coin. */
export interface Price {
  readonly amount: string;
  readonly coinCode: string;
}

export function completeOrder(
  order: PartialOrder,
  { amount, coinCode }: Price,
  pointOfSale: Merchant,
): Order {
  const { total = amount, coin_code = coinCode, items, ...rest } = order;
  return {
    total,
    coin_code,
    ...rest,
    merchant: toOrderMerchant(resolveMerchant(order, pointOfSale)),
    ...(items === undefined ? {} : { items: items.map((item) => ({ coin_code, quantity: 1, ...item })) }),
  };
}

/** If the order names no merchant, returns the merchant of the point of sale, completed from the order. */
export function resolveMerchant(order: PartialOrder | undefined, pointOfSale: Merchant): Merchant {
  const { name, tax_id: taxId, ...rest } = order?.merchant ?? {};
  const own = { ...rest, ...(taxId === undefined ? {} : { taxId }) };
  return name === undefined ? { ...pointOfSale, ...own } : { name, ...own };
}

export function toOrderMerchant({ taxId, ...merchant }: Merchant): OrderMerchant {
  return { ...merchant, ...(taxId === undefined ? {} : { tax_id: taxId }) };
}
