import { OmitType, PartialType } from '@nestjs/swagger';
import { answer, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import type { NaspipClaims, NaspipOrder } from '#shared/naspip/naspip-payload.js';
import { MAX_TOKEN_LENGTH, type VerifiedNaspipToken } from '#shared/naspip/naspip-token.js';
import { AnyText } from '#shared/platform/http/validation/field-rules.js';
import { CREATED_EXAMPLE } from './payment-request-examples.js';
import { OrderDto, OrderItemDto, OrderMerchantDto } from './order.dto.js';

export class ReadNaspipTokenBody {
  // The protocol's own rules say what is wrong with it.
  @AnyText(
    { maxLength: MAX_TOKEN_LENGTH },
    {
      description: 'A payment token of this service, as `token` of a payment request.',
      example: 'naspip;pay.example;key-2026;v4.public.…',
    },
  )
  token!: string;
}

/** Claims as they stand in the token; times in ISO 8601. */
export class NaspipClaimsDto {
  @Field({ required: false })
  iss?: string;

  @Field({ required: false })
  sub?: string;

  @Field({ required: false })
  aud?: string;

  @Field({ description: 'When the token expires.' })
  exp!: string;

  @Field({ required: false })
  nbf?: string;

  @Field({ description: 'When it was issued.' })
  iat!: string;

  @Field({ required: false })
  jti?: string;

  @Field({ description: 'Key id.' })
  kid!: string;

  @Field({ description: 'When the key expires.' })
  kep!: string;

  @Field({ description: 'Key issuer.' })
  kis!: string;
}

export class NaspipPaymentDto {
  @Uuid({ description: 'The payment request.' })
  id!: string;

  @Field()
  address!: string;

  @Field({ required: false, description: 'Memo, where an address serves many requests.' })
  address_tag?: string;

  @Field()
  unique_asset_id!: string;

  @Field({ description: 'Whether the payer names the amount.' })
  is_open!: boolean;

  @Field({ required: false, description: 'In whole units of the asset.' })
  amount?: string;

  @Field({ required: false })
  min_amount?: string;

  @Field({ required: false })
  max_amount?: string;

  @Time()
  expires_at!: string;
}

export class NaspipMerchantDto extends PartialType(OrderMerchantDto) {}

export class NaspipItemDto extends PartialType(OrderItemDto) {}

export class NaspipOrderDto extends PartialType(OmitType(OrderDto, ['merchant', 'items'] as const)) {
  @Field({ required: false })
  merchant?: NaspipMerchantDto;

  @Field({ required: false, type: [NaspipItemDto] })
  items?: NaspipItemDto[];
}

export class NaspipTokenDto {
  @Field()
  claims!: NaspipClaimsDto;

  @Field({ required: false, description: 'Of an instruction payload.' })
  payment?: NaspipPaymentDto;

  @Field({
    required: false,
    format: 'uri',
    description: 'Of a URL payload: where a wallet asks what to pay.',
  })
  url?: string;

  @Field({ required: false, type: [String], description: 'Of a URL payload: unique asset ids.' })
  payment_options?: string[];

  @Field({ required: false })
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
  // Verified claims have what the protocol requires.
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
