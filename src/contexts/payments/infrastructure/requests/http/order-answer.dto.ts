import { Field } from '#shared/platform/http/answers/answer.js';
import type { Order } from '#contexts/payments/domain/requests/order.js';

export class OrderMerchantDto {
  @Field({ example: 'Corner Coffee' })
  name!: string;

  @Field({ required: false, example: 'Coffee and cake' })
  description?: string;

  @Field({ required: false, example: 'DE123456789' })
  tax_id?: string;

  @Field({ required: false, format: 'uri', description: 'URL of a logo.' })
  image?: string;

  @Field({ required: false, description: 'Merchant category code (ISO 18245).', example: '5814' })
  mcc?: string;
}

export class OrderItemDto {
  @Field({ example: 'Flat white' })
  description!: string;

  @Field({ description: 'Price of all units together.', example: '8.00' })
  amount!: string;

  @Field({ example: 'EUR' })
  coin_code!: string;

  @Field({ required: false, example: '4.00' })
  unit_price?: string;

  @Field({
    type: 'integer',
    minimum: 1,
    maximum: 2 ** 31 - 1,
    description: '1 where none was given.',
    example: 2,
  })
  quantity!: number;
}

/** The order that is being paid for, as receipts and wallets show it. */
export class OrderDto {
  @Field({ example: '12.50' })
  total!: string;

  @Field({ example: 'EUR' })
  coin_code!: string;

  @Field({ required: false, example: 'Table 7' })
  description?: string;

  @Field({ required: false })
  merchant?: OrderMerchantDto;

  @Field({ required: false, type: [OrderItemDto] })
  items?: OrderItemDto[];
}

export function presentOrder(order: Order): OrderDto {
  const { items, merchant, ...rest } = order;
  return {
    ...rest,
    ...(merchant && { merchant: { ...merchant } }),
    ...(items && { items: [...items] }),
  };
}
