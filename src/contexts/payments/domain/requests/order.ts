/** The merchant's structured order, in the shape of the NASPIP order (docs/api/payments.md, "Order"); shown, never computed with. */
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
  readonly quantity?: number;
}
