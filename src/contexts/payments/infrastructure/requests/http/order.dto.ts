import {
  DecimalAmount,
  DecimalFromZero,
  HttpsUrl,
  MerchantCategoryCode,
  customRule,
  Text,
} from '#shared/platform/http/validation/field-rules.js';
import { CoinCode } from '#shared/platform/http/validation/shared-fields.js';
import { Nested, NestedList } from '#shared/platform/http/validation/nested-fields.js';
import { Field } from '#shared/platform/http/answers/answer.js';
import type { Order } from '#contexts/payments/domain/requests/order.js';

export const ORDER_BODY_DESCRIPTION =
  'Order that is being paid, as shown in receipts and wallets. It is only informational: the service computes ' +
  'nothing from it. Omitted fields are filled in from the payment request and the point of sale.';

export const ORDER_DESCRIPTION =
  'Order that is being paid, as shown in receipts and wallets. It is only informational: the service computes ' +
  'nothing from it.';

export const MERCHANT_DESCRIPTION = 'Merchant, as shown to payers.';

const Quantity = (): PropertyDecorator =>
  customRule(
    'quantity',
    'must be a whole number from 1 to 2147483647.',
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 2 ** 31 - 1,
    { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
    { optional: true, example: 2, description: 'Number of units. Default: 1.' },
  );

export class OrderMerchantBody {
  @Text(
    'Name of the merchant. If omitted, the order shows the merchant of the point of sale, and the other fields ' +
      'of this object override the values of that merchant.',
    { max: 128, optional: true, example: 'Corner Coffee' },
  )
  name?: string;

  @Text('Description of the merchant.', { max: 256, optional: true, example: 'Coffee and cake' })
  description?: string;

  @Text('Tax id of the merchant.', { max: 64, optional: true, example: 'DE123456789' })
  tax_id?: string;

  @HttpsUrl('HTTPS URL of the merchant’s logo.', { optional: true, example: 'https://shop.example/logo.png' })
  image?: string;

  @MerchantCategoryCode()
  mcc?: string;
}

export class OrderItemBody {
  @Text('Name of the item.', { max: 256, example: 'Flat white' })
  description!: string;

  @DecimalFromZero('Price of all units together, in whole units of `coin_code`. May be zero.', {
    example: '8.00',
  })
  amount!: string;

  @CoinCode(
    'Currency of the item: an ISO 4217 code or the symbol of an asset. Default: the `coin_code` of the order.',
    { optional: true },
  )
  coin_code?: string;

  @DecimalFromZero('Price of one unit, in whole units of `coin_code`. Default: none.', {
    optional: true,
    example: '4.00',
  })
  unit_price?: string;

  @Quantity()
  quantity?: number;
}

/** The service computes no amount from the order. */
export class OrderBody {
  @DecimalAmount('Total of the order. Default: the requested amount.', { optional: true, example: '12.50' })
  total?: string;

  @CoinCode(
    'Currency of the order: an ISO 4217 code or the symbol of an asset. Default: the currency of the requested ' +
      'amount.',
    { optional: true },
  )
  coin_code?: string;

  @Text('Description of the order.', { max: 512, optional: true, example: 'Table 7' })
  description?: string;

  @Nested(
    () => OrderMerchantBody,
    'Merchant to show to the payer. Default: the merchant of the point of sale.',
    { optional: true },
  )
  merchant?: OrderMerchantBody;

  @NestedList(() => OrderItemBody, 'Items of the order, 1 to 50. Default: none.', {
    optional: true,
    maxItems: 50,
  })
  items?: OrderItemBody[];
}

export class OrderMerchantDto {
  @Field('Name of the merchant.', { example: 'Corner Coffee' })
  name!: string;

  @Field('Description of the merchant. Absent if there is none.', {
    required: false,
    example: 'Coffee and cake',
  })
  description?: string;

  @Field('Tax id of the merchant. Absent if there is none.', { required: false, example: 'DE123456789' })
  tax_id?: string;

  @Field('URL of the merchant’s logo. Absent if there is none.', {
    required: false,
    format: 'uri',
    example: 'https://shop.example/logo.png',
  })
  image?: string;

  @Field('Merchant category code (ISO 18245): four digits. Absent if there is none.', {
    required: false,
    example: '5814',
  })
  mcc?: string;
}

export class OrderItemDto {
  @Field('Name of the item.', { example: 'Flat white' })
  description!: string;

  @Field('Price of all units together, in whole units of `coin_code`.', { example: '8.00' })
  amount!: string;

  @Field('Currency of the item: an ISO 4217 code or the symbol of an asset.', { example: 'EUR' })
  coin_code!: string;

  @Field('Price of one unit, in whole units of `coin_code`. Absent if you sent none.', {
    required: false,
    example: '4.00',
  })
  unit_price?: string;

  @Field('Number of units.', { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1, example: 2 })
  quantity!: number;
}

export class OrderDto {
  @Field('Total of the order, in whole units of `coin_code`.', { example: '12.50' })
  total!: string;

  @Field('Currency of the order: an ISO 4217 code or the symbol of an asset.', { example: 'EUR' })
  coin_code!: string;

  @Field('Description of the order. Absent if there is none.', { required: false, example: 'Table 7' })
  description?: string;

  @Field(MERCHANT_DESCRIPTION, { required: false })
  merchant?: OrderMerchantDto;

  @Field('Items of the order. Absent if you sent none.', { required: false, type: [OrderItemDto] })
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
