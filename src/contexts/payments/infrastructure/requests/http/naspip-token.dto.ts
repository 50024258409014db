import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import type { NaspipClaims, NaspipOrder, NaspipPayment } from '#shared/naspip/naspip-payload.js';
import { MAX_TOKEN_LENGTH, type VerifiedNaspipToken } from '#shared/naspip/naspip-token.js';
import { AnyText } from '#shared/platform/http/validation/field-rules.js';
import { CREATED_EXAMPLE } from './payment-request-examples.js';
import { OrderDto, OrderItemDto, OrderMerchantDto } from './order-answer.dto.js';

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
  @ApiProperty({ required: false })
  iss?: string;

  @ApiProperty({ required: false })
  sub?: string;

  @ApiProperty({ required: false })
  aud?: string;

  @ApiProperty({ description: 'When the token expires.' })
  exp!: string;

  @ApiProperty({ required: false })
  nbf?: string;

  @ApiProperty({ description: 'When it was issued.' })
  iat!: string;

  @ApiProperty({ required: false })
  jti?: string;

  @ApiProperty({ description: 'Key id.' })
  kid!: string;

  @ApiProperty({ description: 'When the key expires.' })
  kep!: string;

  @ApiProperty({ description: 'Key issuer.' })
  kis!: string;
}

export class NaspipPaymentDto {
  @ApiProperty({ format: 'uuid', description: 'The payment request.' })
  id!: string;

  @ApiProperty()
  address!: string;

  @ApiProperty({ required: false, description: 'Memo, where an address serves many requests.' })
  address_tag?: string;

  @ApiProperty()
  unique_asset_id!: string;

  @ApiProperty({ description: 'Whether the payer names the amount.' })
  is_open!: boolean;

  @ApiProperty({ required: false, description: 'In whole units of the asset.' })
  amount?: string;

  @ApiProperty({ required: false })
  min_amount?: string;

  @ApiProperty({ required: false })
  max_amount?: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;
}

export class NaspipMerchantDto extends PartialType(OrderMerchantDto) {}

export class NaspipItemDto extends PartialType(OrderItemDto) {}

export class NaspipOrderDto extends PartialType(OmitType(OrderDto, ['merchant', 'items'] as const)) {
  @ApiProperty({ required: false, type: NaspipMerchantDto })
  merchant?: NaspipMerchantDto;

  @ApiProperty({ required: false, type: [NaspipItemDto] })
  items?: NaspipItemDto[];
}

export class NaspipTokenDto {
  @ApiProperty({ type: NaspipClaimsDto })
  claims!: NaspipClaimsDto;

  @ApiProperty({ required: false, type: NaspipPaymentDto, description: 'Of an instruction payload.' })
  payment?: NaspipPaymentDto;

  @ApiProperty({
    required: false,
    format: 'uri',
    description: 'Of a URL payload: where a wallet asks what to pay.',
  })
  url?: string;

  @ApiProperty({ required: false, type: [String], description: 'Of a URL payload: unique asset ids.' })
  payment_options?: string[];

  @ApiProperty({ required: false, type: NaspipOrderDto })
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
  if ('payment' in payload) return { claims: whole, payment: presentTokenPayment(payload.payment), order };
  return { claims: whole, url: payload.url, payment_options: payload.paymentOptions, order };
}

function presentTokenPayment(payment: NaspipPayment): NaspipPaymentDto {
  return {
    id: payment.id,
    address: payment.address,
    address_tag: payment.addressTag,
    unique_asset_id: payment.uniqueAssetId,
    is_open: payment.isOpen,
    amount: payment.amount,
    min_amount: payment.minAmount,
    max_amount: payment.maxAmount,
    expires_at: payment.expiresAt.toISOString(),
  };
}

function presentTokenOrder({ total, coinCode, description, merchant, items }: NaspipOrder): NaspipOrderDto {
  return {
    total,
    coin_code: coinCode,
    description,
    merchant: merchant && {
      name: merchant.name,
      description: merchant.description,
      tax_id: merchant.taxId,
      image: merchant.image,
      mcc: merchant.mcc,
    },
    items: items?.map((item) => ({
      description: item.description,
      amount: item.amount,
      coin_code: item.coinCode,
      unit_price: item.unitPrice,
      quantity: item.quantity,
    })),
  };
}
