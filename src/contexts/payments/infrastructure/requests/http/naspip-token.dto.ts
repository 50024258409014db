import { OmitType, PartialType } from '@nestjs/swagger';
import { answer, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import type { NaspipClaims, NaspipOrder } from '#shared/naspip/naspip-payload.js';
import { MAX_TOKEN_LENGTH, type VerifiedNaspipToken } from '#shared/naspip/naspip-token.js';
import { AnyText } from '#shared/platform/http/validation/field-rules.js';
import { CREATED_EXAMPLE } from './payment-request-examples.js';
import { OrderDto, OrderItemDto, OrderMerchantDto } from './order.dto.js';

export class ReadNaspipTokenBody {
  // The protocol's own rules produce the error.
  @AnyText(
    { maxLength: MAX_TOKEN_LENGTH },
    {
      description: 'Payment token of this service: the `token` of a payment request.',
      example: 'naspip;pay.example;key-2026;v4.public.…',
    },
  )
  token!: string;
}

/** Claims as in the token, with times in ISO 8601. */
export class NaspipClaimsDto {
  @Field({
    required: false,
    description: 'Issuer of the token. Absent if the token names none.',
    example: 'pay.example',
  })
  iss?: string;

  @Field({ required: false, description: 'Subject of the token. Absent if the token names none.' })
  sub?: string;

  @Field({ required: false, description: 'Audience of the token. Absent if the token names none.' })
  aud?: string;

  @Field({ description: 'Time when the token expires.', example: '2026-01-31T12:08:00.000Z' })
  exp!: string;

  @Field({
    required: false,
    description: 'Time before which the token is not valid. Absent if the token has no such limit.',
    example: '2026-01-31T12:00:00.000Z',
  })
  nbf?: string;

  @Field({ description: 'Time when the token was issued.', example: '2026-01-31T12:00:00.000Z' })
  iat!: string;

  @Field({ required: false, description: 'Unique id of the token. Absent if the token has none.' })
  jti?: string;

  @Field({ description: 'Id of the signing key.', example: 'key-2026' })
  kid!: string;

  @Field({ description: 'Time when the signing key expires.', example: '2027-01-01T00:00:00.000Z' })
  kep!: string;

  @Field({ description: 'Issuer of the signing key.', example: 'pay.example' })
  kis!: string;
}

export class NaspipPaymentDto {
  @Uuid({ description: 'Id of the payment request.' })
  id!: string;

  @Field({
    description: 'Address to send the payment to.',
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  address!: string;

  @Field({
    required: false,
    description:
      'Memo or tag to send with the payment, on networks where one address serves many payments. Absent if none ' +
      'is needed.',
    example: '1042',
  })
  address_tag?: string;

  @Field({ description: 'Unique id of the asset to pay in.', example: CREATED_EXAMPLE.unique_asset_id })
  unique_asset_id!: string;

  @Field({ description: 'Whether the payer chooses the amount.', example: false })
  is_open!: boolean;

  @Field({
    required: false,
    description: 'Amount to pay, in whole units of the asset. Absent if the payer chooses the amount.',
    example: '12.5',
  })
  amount?: string;

  @Field({
    required: false,
    description:
      'Smallest amount that the payer can choose if `is_open` is true. Absent if there is no minimum.',
    example: '5',
  })
  min_amount?: string;

  @Field({
    required: false,
    description:
      'Largest amount that the payer can choose if `is_open` is true. Absent if there is no maximum.',
    example: '100',
  })
  max_amount?: string;

  @Time({ description: 'Time when the payment instruction expires.', example: '2026-01-31T12:08:00.000Z' })
  expires_at!: string;
}

export class NaspipMerchantDto extends PartialType(OrderMerchantDto) {}

export class NaspipItemDto extends PartialType(OrderItemDto) {}

export class NaspipOrderDto extends PartialType(OmitType(OrderDto, ['merchant', 'items'] as const)) {
  @Field({ required: false, description: 'Merchant named in the token. Absent if the token names none.' })
  merchant?: NaspipMerchantDto;

  @Field({
    required: false,
    type: [NaspipItemDto],
    description: 'Items of the order. Absent if the token lists none.',
  })
  items?: NaspipItemDto[];
}

export class NaspipTokenDto {
  @Field({ description: 'Verified claims of the token. Times are ISO 8601.' })
  claims!: NaspipClaimsDto;

  @Field({ required: false, description: 'Payment instruction. Absent if the token holds a URL instead.' })
  payment?: NaspipPaymentDto;

  @Field({
    required: false,
    format: 'uri',
    description: 'URL that returns the payment details. Absent if the token holds a payment instruction.',
    example: 'https://api.example/public/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo/payment',
  })
  url?: string;

  @Field({
    required: false,
    type: [String],
    description: 'Unique ids of the assets that the payer can choose from. Present only with `url`.',
    example: [CREATED_EXAMPLE.unique_asset_id],
  })
  payment_options?: string[];

  @Field({ required: false, description: 'Order that the token describes. Absent if it has none.' })
  order?: NaspipOrderDto;
}

export const TOKEN_EXAMPLE: NaspipTokenDto = {
  claims: {
    exp: '2026-01-31T12:08:00.000Z',
    iat: '2026-01-31T12:00:00.000Z',
    kid: 'key-2026',
    kep: '2027-01-01T00:00:00.000Z',
    kis: 'pay.example',
  },
  payment: {
    id: CREATED_EXAMPLE.id,
    address: CREATED_EXAMPLE.address,
    unique_asset_id: CREATED_EXAMPLE.unique_asset_id,
    is_open: false,
    amount: CREATED_EXAMPLE.amount,
    expires_at: CREATED_EXAMPLE.expires_at,
  },
  order: { total: '12.50', coin_code: 'USDC', description: 'Table 7', merchant: { name: 'Corner Coffee' } },
};

export function presentToken({ claims, payload }: VerifiedNaspipToken): NaspipTokenDto {
  const order = payload.order && presentTokenOrder(payload.order);
  // Verified claims contain everything that the protocol requires.
  const whole = claims as NaspipClaims & NaspipClaimsDto;
  if ('payment' in payload)
    return { claims: whole, payment: answer(NaspipPaymentDto, payload.payment), order };
  return { claims: whole, url: payload.url, payment_options: payload.paymentOptions, order };
}

function presentTokenOrder(order: NaspipOrder): NaspipOrderDto {
  return answer(NaspipOrderDto, order, {
    merchant: order.merchant && answer(NaspipMerchantDto, order.merchant),
    items: order.items?.map((item) => answer(NaspipItemDto, item)),
  });
}
