import { AnswerField, TimestampField, UuidField } from '#shared/platform/http/answers/answer.js';
import { AcceptsNumber, IsDecimalAmount, IsHttpsUrl } from '#shared/platform/http/validation/field-rules.js';
import { IsCoinCode, IsPayerEmail, IsReferenceId } from '#shared/platform/http/validation/shared-fields.js';
import { IsNestedObject } from '#shared/platform/http/validation/nested-fields.js';
import {
  PAYMENT_REQUEST_STATUSES,
  type PaymentRequestStatus,
} from '#contexts/payments/contract/payment-request-events.js';
import {
  MERCHANT_DESCRIPTION,
  ORDER_BODY_DESCRIPTION,
  ORDER_DESCRIPTION,
  OrderBody,
  OrderDto,
  OrderMerchantDto,
} from './order.dto.js';
import { OtherAssetDto, PaymentOptionDto, SelectedAssetDto } from './payment-option.dto.js';

export const STATUS_FIELD = {
  enum: PAYMENT_REQUEST_STATUSES,
  enumName: 'PaymentRequestStatus',
  description:
    'Status of the payment request. `pending`: the payer has not selected an asset yet. `created`: a deposit ' +
    'address is assigned and no payment has been seen. `processing`: a payment has been seen and is not final ' +
    'yet. `completed`: exactly the requested amount is final. `overpaid`: more than the requested amount is ' +
    'final. `underpaid`: the payment window has closed and less than the requested amount is final. `expired`: ' +
    'the payment window has closed without a payment. `failed`: the request can no longer be paid. ' +
    '`completed`, `overpaid`, `underpaid`, `expired` and `failed` are terminal and never change. Poll about ' +
    'every 3 seconds until the status is terminal.',
};

export const TYPE_FIELD = {
  enum: ['fixed'],
  enumName: 'PaymentRequestType',
  description: 'Type of the payment request. `fixed`: a fixed amount is requested.',
};

export const FULFILLED_FIELD = {
  description:
    'Whether the payment is sufficient. True if `status` is `completed` or `overpaid`, or if `status` is ' +
    '`underpaid` and the shortfall is within the `underpayment_tolerance` that the account had when the ' +
    'request was created. Does not change after `status` has become terminal.',
  example: false,
};

export const EXPIRATION_FIELD = {
  type: 'integer',
  format: 'int64',
  description: 'The same time as `expires_at`, in Unix seconds.',
  example: 1_769_861_280,
} as const;

export class CreateCheckoutBody {
  @AcceptsNumber()
  @IsDecimalAmount(
    'Price, in whole units of `coin_code`. A JSON number of at most 15 digits is also accepted.',
    {
      example: '12.50',
    },
  )
  amount!: string;

  @IsCoinCode('Currency of the price: an ISO 4217 code or the symbol of an asset. Case-sensitive.')
  coin_code!: string;

  @IsReferenceId('Your own order id. It does not have to be unique. Default: none.')
  reference_id?: string;

  @IsPayerEmail()
  payer_email?: string;

  @IsNestedObject(() => OrderBody, ORDER_BODY_DESCRIPTION, { optional: true })
  order?: OrderBody;

  @IsHttpsUrl(
    'HTTPS URL to which the hosted page sends the payer when the session ends. `payment_request_id` and ' +
      '`status` are added as query parameters. These parameters are not proof of payment. Default: the ' +
      '`return_url` of the point of sale.',
    { optional: true, example: 'https://shop.example/thanks' },
  )
  return_url?: string;
}

export class PublicCheckoutDto {
  @UuidField('Id of the payment request.')
  id!: string;

  @AnswerField(
    'Id of the checkout session. Anyone with the id can read and pay the session, so treat it as a secret. ' +
      'Absent if there is no session.',
    { example: 'q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo' },
  )
  session_id!: string;

  @AnswerField(TYPE_FIELD)
  type!: 'fixed';

  @AnswerField(STATUS_FIELD)
  status!: PaymentRequestStatus;

  @AnswerField(FULFILLED_FIELD)
  fulfilled!: boolean;

  @AnswerField(
    'Signed NASPIP payment token to show as a QR code or to open in a wallet. It contains `checkout_url`, or ' +
      'the payment instruction itself if the asset is already selected.',
    { example: 'naspip;pay.example;key-2026;v4.public.…' },
  )
  token!: string;

  @AnswerField(
    'URL that returns the payment details as JSON, for wallets and backends. It is not a page for browsers. Absent if ' +
      'there is no checkout session.',
    {
      format: 'uri',
      example: 'https://api.example/public/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo/payment',
    },
  )
  checkout_url!: string;

  @AnswerField(
    'URL at which programs can pay with one HTTP header (x402). Absent if no payment option supports payment ' +
      'by signature.',
    {
      required: false,
      format: 'uri',
      example: 'https://api.example/public/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo/x402',
    },
  )
  x402_url?: string;

  @AnswerField(
    'URL of the hosted checkout page. Redirect the payer’s browser to it. Absent if there is no checkout ' +
      'session.',
    { format: 'uri', example: 'https://pay.example/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo' },
  )
  hosted_checkout_url!: string;

  @AnswerField('Price, in whole units of `coin_code`.', { example: '12.5' })
  amount!: string;

  @AnswerField('Currency of the price: an ISO 4217 code or the symbol of an asset.', { example: 'EUR' })
  coin_code!: string;

  @AnswerField('Assets that the payer can pay with.', { type: [PaymentOptionDto] })
  payment_options!: PaymentOptionDto[];

  @AnswerField(ORDER_DESCRIPTION, { required: false })
  order?: OrderDto;

  @AnswerField(MERCHANT_DESCRIPTION)
  merchant!: OrderMerchantDto;

  @AnswerField(
    'URL to which the hosted page sends the payer when the session ends. Absent if there is none.',
    {
      required: false,
      format: 'uri',
      example: 'https://shop.example/thanks',
    },
  )
  return_url?: string;

  @TimestampField('End of the payment window.', { example: '2026-01-31T12:08:00.000Z' })
  expires_at!: string;

  @AnswerField(EXPIRATION_FIELD)
  expiration!: number;

  @AnswerField(
    'Asset that the payer has selected, with the amount and the address to pay. Absent until an asset is ' +
      'selected.',
    { required: false },
  )
  selected?: SelectedAssetDto;

  @AnswerField(
    'Totals received in assets other than the selected one. These funds do not count toward the payment, and ' +
      'are recorded as deposits of the account. Absent if there are none.',
    { required: false, type: [OtherAssetDto] },
  )
  other_assets?: OtherAssetDto[];
}

export class CheckoutDto extends PublicCheckoutDto {
  @UuidField('Id of the payment link that opened the session. Absent if no payment link opened it.', {
    required: false,
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90',
  })
  payment_link_id?: string;

  @AnswerField('Your own order id. Absent if you sent none.', { required: false, example: 'order-1042' })
  reference_id?: string;
}
