import {
  DecimalAmount,
  DecimalFromZero,
  HttpsUrl,
  MerchantCategoryCode,
  rule,
  Text,
} from '#shared/platform/http/validation/field-rules.js';
import { CoinCode } from '#shared/platform/http/validation/shared-fields.js';
import { Nested, NestedList } from '#shared/platform/http/validation/nested-fields.js';
import { Field } from '#shared/platform/http/answers/answer.js';
import type { Order } from '#contexts/payments/domain/requests/order.js';

const Quantity = (): PropertyDecorator =>
  rule(
    'quantity',
    'must be a whole number from 1 to 2147483647.',
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 2 ** 31 - 1,
    { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
    { optional: true, example: 2, description: '1 unless given.' },
  );

export class OrderMerchantBody {
  @Text({
    max: 128,
    optional: true,
    example: 'Corner Coffee',
    description:
      'Without it the merchant is the point of sale’s, with the fields given here instead of its own.',
  })
  name?: string;

  @Text({ max: 256, optional: true, example: 'Coffee and cake' })
  description?: string;

  @Text({ max: 64, optional: true, example: 'DE123456789' })
  tax_id?: string;

  @HttpsUrl({ optional: true, description: 'URL of a logo.', example: 'https://shop.example/logo.png' })
  image?: string;

  @MerchantCategoryCode()
  mcc?: string;
}

export class OrderItemBody {
  @Text({ max: 256, example: 'Flat white' })
  description!: string;

  @DecimalFromZero({ example: '8.00', description: 'Price of all units together.' })
  amount!: string;

  @CoinCode({ optional: true, description: 'The order’s unless given.' })
  coin_code?: string;

  @DecimalFromZero({ optional: true, example: '4.00' })
  unit_price?: string;

  @Quantity()
  quantity?: number;
}

/** The order that is being paid for, as receipts and wallets show it. Absent fields are derived; nothing is computed from it. */
export class OrderBody {
  @DecimalAmount({ optional: true, example: '12.50', description: 'The amount asked for unless given.' })
  total?: string;

  @CoinCode({ optional: true, description: 'That of the amount asked for unless given.' })
  coin_code?: string;

  @Text({ max: 512, optional: true, example: 'Table 7' })
  description?: string;

  @Nested(() => OrderMerchantBody, {
    optional: true,
    description: 'The point of sale’s merchant unless given.',
  })
  merchant?: OrderMerchantBody;

  @NestedList(() => OrderItemBody, { optional: true, maxItems: 50 })
  items?: OrderItemBody[];
}

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
