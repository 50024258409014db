import { OmitType, PartialType } from '@nestjs/swagger';
import {
  answerFromView,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import type { NaspipClaims, NaspipOrder } from '#shared/naspip/naspip-payload.js';
import { MAX_NASPIP_TOKEN_LENGTH, type VerifiedNaspipToken } from '#shared/naspip/naspip-token.js';
import { IsAnyText } from '#shared/platform/http/validation/field-rules.js';
import { CREATED_PAYMENT_REQUEST_EXAMPLE } from './payment-request-examples.js';
import { OrderDto, OrderItemDto, OrderMerchantDto } from './order.dto.js';

export class ReadNaspipTokenBody {
  // Errors in the token are reported by the rules of the NASPIP protocol.
  @IsAnyText('Payment token of this service: the `token` of a payment request.', {
    maxLength: MAX_NASPIP_TOKEN_LENGTH,
    example: 'naspip;pay.example;key-2026;v4.public.…',
  })
  token!: string;
}

export class NaspipClaimsDto {
  @AnswerField('Issuer of the token. Absent if the token names none.', {
    required: false,
    example: 'pay.example',
  })
  iss?: string;

  @AnswerField('Subject of the token. Absent if the token names none.', { required: false })
  sub?: string;

  @AnswerField('Audience of the token. Absent if the token names none.', { required: false })
  aud?: string;

  @AnswerField('Time when the token expires.', { example: '2026-01-31T12:08:00.000Z' })
  exp!: string;

  @AnswerField('Time before which the token is not valid. Absent if the token has no such limit.', {
    required: false,
    example: '2026-01-31T12:00:00.000Z',
  })
  nbf?: string;

  @AnswerField('Time when the token was issued.', { example: '2026-01-31T12:00:00.000Z' })
  iat!: string;

  @AnswerField('Unique id of the token. Absent if the token has none.', { required: false })
  jti?: string;

  @AnswerField('Id of the signing key.', { example: 'key-2026' })
  kid!: string;

  @AnswerField('Time when the signing key expires.', { example: '2027-01-01T00:00:00.000Z' })
  kep!: string;

  @AnswerField('Issuer of the signing key.', { example: 'pay.example' })
  kis!: string;
}

export class NaspipPaymentDto {
  @UuidField('Id of the payment request.')
  id!: string;

  @AnswerField('Address to send the payment to.', { example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' })
  address!: string;

  @AnswerField(
    'Memo or tag to send with the payment, on networks where one address serves many payments. Absent if none ' +
      'is needed.',
    { required: false, example: '1042' },
  )
  address_tag?: string;

  @AnswerField('Unique id of the asset to pay in.', {
    example: CREATED_PAYMENT_REQUEST_EXAMPLE.unique_asset_id,
  })
  unique_asset_id!: string;

  @AnswerField('Whether the payer chooses the amount.', { example: false })
  is_open!: boolean;

  @AnswerField('Amount to pay, in whole units of the asset. Absent if the payer chooses the amount.', {
    required: false,
    example: '12.5',
  })
  amount?: string;

  @AnswerField(
    'Smallest amount that the payer can choose if `is_open` is true. Absent if there is no minimum.',
    {
      required: false,
      example: '5',
    },
  )
  min_amount?: string;

  @AnswerField(
    'Largest amount that the payer can choose if `is_open` is true. Absent if there is no maximum.',
    {
      required: false,
      example: '100',
    },
  )
  max_amount?: string;

  @TimestampField('Time when the payment instruction expires.', { example: '2026-01-31T12:08:00.000Z' })
  expires_at!: string;
}

export class NaspipMerchantDto extends PartialType(OrderMerchantDto) {}

export class NaspipItemDto extends PartialType(OrderItemDto) {}

export class NaspipOrderDto extends PartialType(OmitType(OrderDto, ['merchant', 'items'] as const)) {
  @AnswerField('Merchant named in the token. Absent if the token names none.', { required: false })
  merchant?: NaspipMerchantDto;

  @AnswerField('Items of the order. Absent if the token lists none.', {
    required: false,
    type: [NaspipItemDto],
  })
  items?: NaspipItemDto[];
}

export class NaspipTokenDto {
  @AnswerField('Verified claims of the token. Times are ISO 8601.')
  claims!: NaspipClaimsDto;

  @AnswerField('Payment instruction. Absent if the token holds a URL instead.', { required: false })
  payment?: NaspipPaymentDto;

  @AnswerField('URL that returns the payment details. Absent if the token holds a payment instruction.', {
    required: false,
    format: 'uri',
    example: 'https://api.example/public/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo/payment',
  })
  url?: string;

  @AnswerField('Unique ids of the assets that the payer can choose from. Present only with `url`.', {
    required: false,
    type: [String],
    example: [CREATED_PAYMENT_REQUEST_EXAMPLE.unique_asset_id],
  })
  payment_options?: string[];

  @AnswerField('Order that the token describes. Absent if it has none.', { required: false })
  order?: NaspipOrderDto;
}

export const NASPIP_TOKEN_EXAMPLE: NaspipTokenDto = {
  claims: {
    exp: '2026-01-31T12:08:00.000Z',
    iat: '2026-01-31T12:00:00.000Z',
    kid: 'key-2026',
    kep: '2027-01-01T00:00:00.000Z',
    kis: 'pay.example',
  },
  payment: {
    id: CREATED_PAYMENT_REQUEST_EXAMPLE.id,
    address: CREATED_PAYMENT_REQUEST_EXAMPLE.address,
    unique_asset_id: CREATED_PAYMENT_REQUEST_EXAMPLE.unique_asset_id,
    is_open: false,
    amount: CREATED_PAYMENT_REQUEST_EXAMPLE.amount,
    expires_at: CREATED_PAYMENT_REQUEST_EXAMPLE.expires_at,
  },
  order: { total: '12.50', coin_code: 'USDC', description: 'Table 7', merchant: { name: 'Corner Coffee' } },
};

export function presentNaspipToken({ claims, payload }: VerifiedNaspipToken): NaspipTokenDto {
  const order = payload.order && presentTokenOrder(payload.order);
  // Verified claims contain everything that the protocol requires.
  const whole = claims as NaspipClaims & NaspipClaimsDto;
  if ('payment' in payload)
    return { claims: whole, payment: answerFromView(NaspipPaymentDto, payload.payment), order };
  return { claims: whole, url: payload.url, payment_options: payload.paymentOptions, order };
}

function presentTokenOrder(order: NaspipOrder): NaspipOrderDto {
  return answerFromView(NaspipOrderDto, order, {
    merchant: order.merchant && answerFromView(NaspipMerchantDto, order.merchant),
    items: order.items?.map((item) => answerFromView(NaspipItemDto, item)),
  });
}
