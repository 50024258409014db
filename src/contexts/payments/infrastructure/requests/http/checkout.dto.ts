import { OmitType } from '@nestjs/swagger';
import { Count, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import { DecimalAmount, HttpsUrl } from '#shared/platform/http/validation/field-rules.js';
import {
  CoinCode,
  EXAMPLE_ASSET,
  PayerEmail,
  ReferenceId,
  UniqueAssetId,
} from '#shared/platform/http/validation/shared-fields.js';
import { Nested } from '#shared/platform/http/validation/nested-fields.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { PAYMENT_REQUEST_STATUSES } from '#contexts/payments/domain/requests/status.js';
import { OrderBody, OrderDto, OrderMerchantDto } from './order.dto.js';

export const STATUS = {
  enum: PAYMENT_REQUEST_STATUSES,
  enumName: 'PaymentRequestStatus',
  description:
    'Poll every 3 seconds until it is completed, overpaid, underpaid, expired or failed: these are terminal.',
};

export const FULFILLED = {
  description:
    'True once it has ended with what was asked for: `completed`, `overpaid`, or `underpaid` by no more than the ' +
    'account’s `underpayment_tolerance` at its creation. It then never changes, as `status` does not.',
};

export class CreateCheckoutBody {
  @DecimalAmount({ description: 'The price, in whole units of `coin_code`.', example: '12.50' })
  amount!: string;

  @CoinCode({ description: 'What the price is named in: an ISO 4217 currency or an asset symbol.' })
  coin_code!: string;

  @ReferenceId({ description: 'Your own order id; it may repeat.' })
  reference_id?: string;

  @PayerEmail()
  payer_email?: string;

  @Nested(() => OrderBody, { optional: true })
  order?: OrderBody;

  @HttpsUrl({
    optional: true,
    description:
      'Where the hosted page sends the payer at the end, with `payment_request_id` and `status` as query parameters: ' +
      'a hint, not a proof. The point of sale’s own unless given.',
    example: 'https://shop.example/thanks',
  })
  return_url?: string;
}

export class SelectAssetBody {
  @UniqueAssetId({ description: 'One of the payment options.' })
  unique_asset_id!: string;
}

export class PaymentOptionDto {
  @Field({ example: EXAMPLE_ASSET })
  unique_asset_id!: string;

  @Field({ example: 'erc20' })
  network!: string;

  @Field({ example: 'USDC' })
  symbol!: string;

  @Field({
    required: false,
    example: '13.520004',
    description: 'What it would cost now, rounded up; absent while there is no price.',
  })
  amount?: string;
}

export class LockedRateDto {
  @Field({ description: 'One unit of the asset, in `coin_code`.', example: '0.924556' })
  price!: string;

  @Field({ type: [String], example: ['coinbase', 'kraken'], description: '`peg` where it is fixed.' })
  sources!: readonly string[];

  @Time()
  at!: string;
}

export class TokenDomainDto {
  @Field({ example: 'USD Coin' })
  name!: string;

  @Field({ example: '2' })
  version!: string;

  @Field({ type: 'integer', description: 'EIP-155.', example: 1 })
  chain_id!: number;

  @Field({ description: 'EIP-55.', example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' })
  verifying_contract!: string;
}

/** The message that a payer signs in place of sending a transfer (EIP-3009 `TransferWithAuthorization`). */
export class SignaturePaymentDto {
  @Field({ description: 'The contract (EIP-55).', example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' })
  token!: string;

  @Field({ description: 'Of EIP-712, as the contract has it.' })
  domain!: TokenDomainDto;

  @Field({ description: '`to` of the message (EIP-55).' })
  to!: string;

  @Field({
    description: '`value` of the message: what is missing, in smallest units.',
    example: '3520004',
  })
  value!: string;
}

export class SelectedAssetDto extends OmitType(PaymentOptionDto, ['amount'] as const) {
  @Field({ description: 'To be paid, in whole units of the asset.', example: '13.520004' })
  amount!: string;

  @Field({ description: 'Where to: for this checkout alone (EIP-55).' })
  address!: string;

  @Field({ description: 'Seen so far, also what is not final yet.', example: '10' })
  received_amount!: string;

  @Field({ example: '3.520004' })
  missing_amount!: string;

  @Count({ description: 'Of the newest transfer that counts; 0 before one is seen.' })
  confirmations!: number;

  @Count({ description: 'From then on it is final.' })
  required_confirmations!: number;

  @Field({ required: false, description: 'Of the newest transfer that counts.' })
  transaction_hash?: string;

  @Field({
    required: false,
    description: 'Locked when it was first selected; absent where the price is in this very asset.',
  })
  rate?: LockedRateDto;

  @Field({
    required: false,
    description:
      'Where this can be paid by a signature, for which the service pays the gas: sent to ' +
      '`/public/checkout/{sessionId}/authorization`.',
  })
  signature_payment?: SignaturePaymentDto;
}

/** The sum that arrived at the address of a session in an asset that was not selected. */
export class OtherAssetDto {
  @Field({ example: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' })
  unique_asset_id!: string;

  @Field({ example: 'polygon' })
  network!: string;

  @Field({ example: 'USDC' })
  symbol!: string;

  @Field({ description: 'In whole units of the asset.', example: '10' })
  amount!: string;
}

/** A checkout session as its payer sees it. */
export class PublicCheckoutDto {
  @Uuid({ description: 'The payment request.' })
  id!: string;

  @Field({ description: 'Whoever knows it may read and pay.', example: 'nX3…' })
  session_id!: string;

  @Field({ enum: ['fixed'], enumName: 'PaymentRequestType' })
  type!: 'fixed';

  @Field(STATUS)
  status!: PaymentRequestStatus;

  @Field(FULFILLED)
  fulfilled!: boolean;

  @Field({
    description: 'NASPIP payment token that names `checkout_url`, or carries the payment.',
    example: 'naspip;…',
  })
  token!: string;

  @Field({ format: 'uri', description: 'For wallets and backends: answers what to pay.' })
  checkout_url!: string;

  @Field({
    required: false,
    format: 'uri',
    description: 'For programs: paid by one header (x402). Where an option takes payments by signature.',
  })
  x402_url?: string;

  @Field({ format: 'uri', description: 'For browsers: the hosted page.' })
  hosted_checkout_url!: string;

  @Field({ description: 'The price, in whole units of `coin_code`.', example: '12.5' })
  amount!: string;

  @Field({ example: 'EUR' })
  coin_code!: string;

  @Field({ type: [PaymentOptionDto] })
  payment_options!: PaymentOptionDto[];

  @Field({ required: false })
  order?: OrderDto;

  @Field()
  merchant!: OrderMerchantDto;

  @Field({ required: false, format: 'uri' })
  return_url?: string;

  @Time()
  expires_at!: string;

  @Field({ required: false, description: 'Once an asset is selected.' })
  selected?: SelectedAssetDto;

  @Field({
    required: false,
    type: [OtherAssetDto],
    description:
      'Sums received in assets that were not selected. They do not pay the session, and become deposits. ' +
      'Absent if there are none.',
  })
  other_assets?: OtherAssetDto[];
}

/** The same as the merchant sees it. */
export class CheckoutDto extends PublicCheckoutDto {
  @Uuid({ required: false, description: 'Of the payment link that opened it.' })
  payment_link_id?: string;

  @Field({ required: false, example: 'order-1042' })
  reference_id?: string;
}
