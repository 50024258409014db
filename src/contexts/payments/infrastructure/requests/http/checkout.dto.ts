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
import {
  MERCHANT_DESCRIPTION,
  ORDER_BODY_DESCRIPTION,
  ORDER_DESCRIPTION,
  OrderBody,
  OrderDto,
  OrderMerchantDto,
} from './order.dto.js';

export const STATUS = {
  enum: PAYMENT_REQUEST_STATUSES,
  enumName: 'PaymentRequestStatus',
  description:
    'Status of the payment request. `pending`: the payer has not selected an asset yet. `created`: a deposit address is ' +
    'assigned and no payment has been seen. `processing`: a payment has been seen and is not final yet. `completed`: exactly ' +
    'the requested amount is final. `overpaid`: more than the requested amount is final. `underpaid`: the payment window has ' +
    'closed and less than the requested amount is final. `expired`: the payment window has closed without a payment. ' +
    '`failed`: the request can no longer be paid. The last five are terminal and never change; poll about every 3 seconds ' +
    'until then.',
};

export const TYPE = {
  enum: ['fixed'],
  enumName: 'PaymentRequestType',
  description: 'Type of the payment request: `fixed`, a fixed amount.',
};

export const FULFILLED = {
  description:
    'Whether the payment is sufficient. True if `status` is `completed` or `overpaid`, or if it is `underpaid` by no more than ' +
    'the `underpayment_tolerance` that the account had when the request was created. Never changes once `status` is terminal.',
  example: false,
};

export class CreateCheckoutBody {
  @DecimalAmount({ description: 'Price, in whole units of `coin_code`.', example: '12.50' })
  amount!: string;

  @CoinCode({
    description: 'Currency of the price: an ISO 4217 code or the symbol of an asset. Case-sensitive.',
  })
  coin_code!: string;

  @ReferenceId({ description: 'Your own order id. Does not have to be unique.' })
  reference_id?: string;

  @PayerEmail()
  payer_email?: string;

  @Nested(() => OrderBody, { optional: true, description: ORDER_BODY_DESCRIPTION })
  order?: OrderBody;

  @HttpsUrl({
    optional: true,
    description:
      'HTTPS URL to which the hosted page sends the payer when the session ends. `payment_request_id` and `status` are added ' +
      'as query parameters; they are not proof of payment. Default: the `return_url` of the point of sale.',
    example: 'https://shop.example/thanks',
  })
  return_url?: string;
}

export class SelectAssetBody {
  @UniqueAssetId({ description: 'Unique asset id of one of the `payment_options`.' })
  unique_asset_id!: string;
}

export class PaymentOptionDto {
  @Field({ description: 'Unique id of the asset on its network.', example: EXAMPLE_ASSET })
  unique_asset_id!: string;

  @Field({ description: 'Network id, such as `erc20` or `polygon`.', example: 'erc20' })
  network!: string;

  @Field({ description: 'Symbol of the asset.', example: 'USDC' })
  symbol!: string;

  @Field({
    required: false,
    example: '13.520004',
    description:
      'Amount to pay, in whole units of the asset, rounded up: at the locked rate for the selected asset, at the current rate for ' +
      'the others. Absent if there is no rate, or if the asset can no longer be selected.',
  })
  amount?: string;
}

export class LockedRateDto {
  @Field({ description: 'Price of one whole unit of the asset, in `coin_code`.', example: '0.924556' })
  price!: string;

  @Field({
    type: [String],
    example: ['coinbase', 'kraken'],
    description: 'Sources of the rate. `peg` if the operator has pegged the asset to the currency.',
  })
  sources!: readonly string[];

  @Time({ description: 'When the rate was quoted.' })
  at!: string;
}

export class TokenDomainDto {
  @Field({ description: '`name` of the EIP-712 domain.', example: 'USD Coin' })
  name!: string;

  @Field({ description: '`version` of the EIP-712 domain.', example: '2' })
  version!: string;

  @Field({ type: 'integer', description: '`chainId` of the EIP-712 domain (EIP-155).', example: 1 })
  chain_id!: number;

  @Field({
    description: '`verifyingContract` of the EIP-712 domain (EIP-55).',
    example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  })
  verifying_contract!: string;
}

/** The message that a payer signs in place of sending a transfer (EIP-3009 `TransferWithAuthorization`). */
export class SignaturePaymentDto {
  @Field({
    description: 'Contract of the token (EIP-55).',
    example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  })
  token!: string;

  @Field({ description: 'EIP-712 domain of the token, as its contract defines it.' })
  domain!: TokenDomainDto;

  @Field({
    description: '`to` of the message: the deposit address (EIP-55).',
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  to!: string;

  @Field({
    description: '`value` of the message: the remaining amount, in the smallest unit of the token.',
    example: '3520004',
  })
  value!: string;
}

export class SelectedAssetDto extends OmitType(PaymentOptionDto, ['amount'] as const) {
  @Field({ description: 'Amount to pay, in whole units of the asset.', example: '13.520004' })
  amount!: string;

  @Field({
    description: 'Deposit address, used only for this checkout (EIP-55).',
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  address!: string;

  @Field({
    description:
      'Amount received so far, including transfers that are not final, in whole units of the asset.',
    example: '10',
  })
  received_amount!: string;

  @Field({
    description: 'Amount still to pay, in whole units of the asset. `0` once enough has been received.',
    example: '3.520004',
  })
  missing_amount!: string;

  @Count({
    description:
      'Confirmations of the latest counted transfer, at most `required_confirmations`. 0 before one is seen.',
    example: 3,
  })
  confirmations!: number;

  @Count({ description: 'Confirmations at which the transfer is final.', example: 12 })
  required_confirmations!: number;

  @Field({
    required: false,
    description: 'Transaction hash of the latest counted transfer. Absent before one is seen.',
    example: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  })
  transaction_hash?: string;

  @Field({
    required: false,
    description:
      'Exchange rate, locked when the asset was first selected. Absent if the price is in the asset itself.',
  })
  rate?: LockedRateDto;

  @Field({
    required: false,
    description:
      'Message that the payer can sign to pay without gas: send the signature to ' +
      '`POST /public/checkout/{sessionId}/authorization`, and the service sends the transfer and pays the network fee. Absent ' +
      'if the asset or the operator does not support it, and when nothing remains to be paid.',
  })
  signature_payment?: SignaturePaymentDto;
}

/** The sum that arrived at the address of a session in an asset that was not selected. */
export class OtherAssetDto {
  @Field({
    description: 'Unique id of the asset received.',
    example: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  })
  unique_asset_id!: string;

  @Field({ description: 'Network id, such as `erc20` or `polygon`.', example: 'polygon' })
  network!: string;

  @Field({ description: 'Symbol of the asset received.', example: 'USDC' })
  symbol!: string;

  @Field({ description: 'Total received, in whole units of the asset.', example: '10' })
  amount!: string;
}

/** A checkout session as its payer sees it. */
export class PublicCheckoutDto {
  @Uuid({ description: 'Id of the payment request.' })
  id!: string;

  @Field({
    description:
      'Id of the checkout session. It is the access control: anyone who has it can read and pay the session.',
    example: 'q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo',
  })
  session_id!: string;

  @Field(TYPE)
  type!: 'fixed';

  @Field(STATUS)
  status!: PaymentRequestStatus;

  @Field(FULFILLED)
  fulfilled!: boolean;

  @Field({
    description:
      'Signed NASPIP payment token to show as a QR code or to open in a wallet. It holds `checkout_url`, or the payment ' +
      'instruction itself if an asset is known.',
    example: 'naspip;pay.example;key-2026;v4.public.…',
  })
  token!: string;

  @Field({
    format: 'uri',
    description: 'URL for wallets and backends. Returns what to pay as JSON; not a page for browsers.',
    example: 'https://api.example/public/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo/payment',
  })
  checkout_url!: string;

  @Field({
    required: false,
    format: 'uri',
    description:
      'URL at which programs can pay with one HTTP header (x402). Absent if no payment option supports payment by signature.',
    example: 'https://api.example/public/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo/x402',
  })
  x402_url?: string;

  @Field({
    format: 'uri',
    description: 'URL of the hosted checkout page. Redirect the payer’s browser to it.',
    example: 'https://pay.example/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo',
  })
  hosted_checkout_url!: string;

  @Field({ description: 'Price, in whole units of `coin_code`.', example: '12.5' })
  amount!: string;

  @Field({
    description: 'Currency of the price: an ISO 4217 code or the symbol of an asset.',
    example: 'EUR',
  })
  coin_code!: string;

  @Field({ type: [PaymentOptionDto], description: 'Assets that the payer can pay with.' })
  payment_options!: PaymentOptionDto[];

  @Field({ required: false, description: ORDER_DESCRIPTION })
  order?: OrderDto;

  @Field({ description: MERCHANT_DESCRIPTION })
  merchant!: OrderMerchantDto;

  @Field({
    required: false,
    format: 'uri',
    description:
      'URL to which the hosted page sends the payer when the session ends. Absent if there is none.',
    example: 'https://shop.example/thanks',
  })
  return_url?: string;

  @Time({ description: 'End of the payment window.', example: '2026-01-31T12:08:00.000Z' })
  expires_at!: string;

  @Field({
    required: false,
    description: 'Asset that the payer has selected, with what to pay. Absent until an asset is selected.',
  })
  selected?: SelectedAssetDto;

  @Field({
    required: false,
    type: [OtherAssetDto],
    description:
      'Totals received in assets that were not selected. They do not pay the session and are booked as deposits of the ' +
      'account. Absent if there are none.',
  })
  other_assets?: OtherAssetDto[];
}

/** The same as the merchant sees it. */
export class CheckoutDto extends PublicCheckoutDto {
  @Uuid({
    required: false,
    description: 'Id of the payment link that opened the session. Absent if none did.',
    example: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90',
  })
  payment_link_id?: string;

  @Field({
    required: false,
    description: 'Your own order id. Absent if you sent none.',
    example: 'order-1042',
  })
  reference_id?: string;
}
