import {
  IsDecimalAmount,
  IsDecimalFromZero,
  IsHttpsUrl,
  IsMerchantCategoryCode,
  customRule,
  IsText,
} from '#shared/platform/http/validation/field-rules.js';
import { IsCoinCode } from '#shared/platform/http/validation/shared-fields.js';
import { IsNestedObject, IsNestedList } from '#shared/platform/http/validation/nested-fields.js';
import { AnswerField } from '#shared/platform/http/answers/answer.js';
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
  @IsText(
    'Name of the merchant. If omitted, the order shows the merchant of the point of sale, and the other fields ' +
      'of this object override the values of that merchant.',
    { max: 128, optional: true, example: 'Corner Coffee' },
  )
  name?: string;

  @IsText('Description of the merchant.', { max: 256, optional: true, example: 'Coffee and cake' })
  description?: string;

  @IsText('Tax id of the merchant.', { max: 64, optional: true, example: 'DE123456789' })
  tax_id?: string;

  @IsHttpsUrl('HTTPS URL of the merchant’s logo.', {
    optional: true,
    example: 'https://shop.example/logo.png',
  })
  image?: string;

  @IsMerchantCategoryCode()
  mcc?: string;
}

export class OrderItemBody {
  @IsText('Name of the item.', { max: 256, example: 'Flat white' })
  description!: string;

  @IsDecimalFromZero('Price of all units together, in whole units of `coin_code`. May be zero.', {
    example: '8.00',
  })
  amount!: string;

  @IsCoinCode(
    'Currency of the item: an ISO 4217 code or the symbol of an asset. Default: the `coin_code` of the order.',
    { optional: true },
  )
  coin_code?: string;

  @IsDecimalFromZero('Price of one unit, in whole units of `coin_code`. Default: none.', {
    optional: true,
    example: '4.00',
  })
  unit_price?: string;

  @Quantity()
  quantity?: number;
}

/** The service computes no amount from the order. */
export class OrderBody {
  @IsDecimalAmount('Total of the order. Default: the requested amount.', { optional: true, example: '12.50' })
  total?: string;

  @IsCoinCode(
    'Currency of the order: an ISO 4217 code or the symbol of an asset. Default: the currency of the requested ' +
      'amount.',
    { optional: true },
  )
  coin_code?: string;

  @IsText('Description of the order.', { max: 512, optional: true, example: 'Table 7' })
  description?: string;

  @IsNestedObject(
    () => OrderMerchantBody,
    'Merchant to show to the payer. Default: the merchant of the point of sale.',
    { optional: true },
  )
  merchant?: OrderMerchantBody;

  @IsNestedList(() => OrderItemBody, 'Items of the order, 1 to 50. Default: none.', {
    optional: true,
    maxItems: 50,
  })
  items?: OrderItemBody[];
}

export class OrderMerchantDto {
  @AnswerField('Name of the merchant.', { example: 'Corner Coffee' })
  name!: string;

  @AnswerField('Description of the merchant. Absent if there is none.', {
    required: false,
    example: 'Coffee and cake',
  })
  description?: string;

  @AnswerField('Tax id of the merchant. Absent if there is none.', {
    required: false,
    example: 'DE123456789',
  })
  tax_id?: string;

  @AnswerField('URL of the merchant’s logo. Absent if there is none.', {
    required: false,
    format: 'uri',
    example: 'https://shop.example/logo.png',
  })
  image?: string;

  @AnswerField('Merchant category code (ISO 18245): four digits. Absent if there is none.', {
    required: false,
    example: '5814',
  })
  mcc?: string;
}

export class OrderItemDto {
  @AnswerField('Name of the item.', { example: 'Flat white' })
  description!: string;

  @AnswerField('Price of all units together, in whole units of `coin_code`.', { example: '8.00' })
  amount!: string;

  @AnswerField('Currency of the item: an ISO 4217 code or the symbol of an asset.', { example: 'EUR' })
  coin_code!: string;

  @AnswerField('Price of one unit, in whole units of `coin_code`. Absent if you sent none.', {
    required: false,
    example: '4.00',
  })
  unit_price?: string;

  @AnswerField('Number of units.', { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1, example: 2 })
  quantity!: number;
}

export class OrderDto {
  @AnswerField('Total of the order, in whole units of `coin_code`.', { example: '12.50' })
  total!: string;

  @AnswerField('Currency of the order: an ISO 4217 code or the symbol of an asset.', { example: 'EUR' })
  coin_code!: string;

  @AnswerField('Description of the order. Absent if there is none.', { required: false, example: 'Table 7' })
  description?: string;

  @AnswerField(MERCHANT_DESCRIPTION, { required: false })
  merchant?: OrderMerchantDto;

  @AnswerField('Items of the order. Absent if you sent none.', { required: false, type: [OrderItemDto] })
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
