import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { answer, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { DecimalAmount } from '#shared/platform/http/validation/field-rules.js';
import {
  EXAMPLE_ASSET,
  PayerEmail,
  ReferenceId,
  UniqueAssetId,
} from '#shared/platform/http/validation/shared-fields.js';
import { Nested } from '#shared/platform/http/validation/nested-fields.js';
import type {
  DeliveredRequestView,
  PaymentRequestView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import type { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import type { RefundRecord } from '#contexts/payments/contract/delivery-records.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import type { HistoryStatus } from '#contexts/payments/domain/requests/status.js';
import { CheckoutDto, FULFILLED, STATUS } from './checkout.dto.js';
import { OrderBody, OrderDto, presentOrder } from './order.dto.js';
import { DepositDto, presentDeposits, presentTransfer, TransferDto } from './transfer.dto.js';

const SELECTED_FIELDS = ['currency', 'unique_asset_id', 'network', 'address'] as const;
const CHECKOUT_FIELDS = [
  'session_id',
  'checkout_url',
  'x402_url',
  'hosted_checkout_url',
  'coin_code',
  'payment_options',
  'merchant',
  'return_url',
  'payment_link_id',
  'selected',
] as const;

export class CreatePaymentRequestBody {
  @DecimalAmount({ description: 'Amount to be paid, in whole units of the asset.', example: '12.50' })
  amount!: string;

  @UniqueAssetId({ description: 'One of the point of sale’s payment options: asset and network.' })
  unique_asset_id!: string;

  @ReferenceId({ description: 'Your own order id; it may repeat.' })
  reference_id?: string;

  @PayerEmail()
  payer_email?: string;

  @Nested(() => OrderBody, {
    optional: true,
    example: { total: '12.50', coin_code: 'USDC', description: 'Table 7' },
  })
  order?: OrderBody;
}

export class PaymentRequestDto {
  @Uuid()
  id!: string;

  @Field({ enum: ['fixed'], enumName: 'PaymentRequestType' })
  type!: 'fixed';

  @Field(STATUS)
  status!: PaymentRequestStatus;

  @Field(FULFILLED)
  fulfilled!: boolean;

  @Field({
    description: 'NASPIP payment token: show it as a QR code, or open a wallet with it.',
    example: 'naspip;…',
  })
  token!: string;

  @Field({ description: 'Amount asked for.', example: '12.5' })
  amount!: string;

  @Field({ description: 'Symbol of the asset.', example: 'USDC' })
  currency!: string;

  @Field({ example: EXAMPLE_ASSET })
  unique_asset_id!: string;

  @Field({ example: 'erc20' })
  network!: string;

  @Field({ description: 'Deposit address of this request alone (EIP-55).' })
  address!: string;

  @Field({ required: false, example: 'order-1042' })
  reference_id?: string;

  @Field({ required: false })
  order?: OrderDto;

  @Uuid()
  point_of_sale_id!: string;

  @Uuid()
  account_id!: string;

  @Time()
  expires_at!: string;

  @Time()
  created_at!: string;
}

export class StatusHistoryDto {
  @Field({
    enum: [...STATUS.enum, 'confirmed'],
    enumName: 'PaymentRequestStep',
    description: '`confirmed` is the ledger step after the outcome.',
  })
  status!: HistoryStatus;

  @Time()
  at!: string;
}

export class RefundOfRequestDto {
  @Uuid()
  id!: string;

  @Field({ enum: ['pending', 'processing', 'completed', 'failed'], enumName: 'RefundStatus' })
  status!: RefundRecord['status'];

  @Field({ description: 'In `currency`.', example: '2.5' })
  amount!: string;

  @Field({ description: 'Symbol of the asset that was received, and is paid back.', example: 'USDC' })
  currency!: string;

  @Field({ required: false, description: 'Absent before it is in a block.' })
  transaction_hash?: string;
}

/** A checkout's fields stand beside those that every request has; its own asset and address once one is selected. */
export class PaymentRequestProgressDto extends IntersectionType(
  OmitType(PaymentRequestDto, ['amount', ...SELECTED_FIELDS] as const),
  PartialType(PickType(PaymentRequestDto, SELECTED_FIELDS)),
  PartialType(PickType(CheckoutDto, CHECKOUT_FIELDS)),
) {
  @Field({
    description: 'Amount asked for: of a checkout in `coin_code`, otherwise in `currency`.',
    example: '12.5',
  })
  amount!: string;

  @Field({
    description: 'Sum of the counted transfers, also of those that are not final yet, in `currency`.',
    example: '12.5',
  })
  received_amount!: string;

  @Field({
    type: [TransferDto],
    description:
      'At most 100, in chain order: those that count before those that are booked otherwise, these before others, the ' +
      'earliest first. What has disappeared from the chain is here only where it had been booked.',
  })
  transfers!: TransferDto[];

  @Field({
    type: [DepositDto],
    description:
      'Those of the transfers that came besides what was received, too late or in another asset, and are booked as ' +
      'deposits of the account.',
  })
  deposits!: DepositDto[];

  @Field({ type: [StatusHistoryDto] })
  status_history!: StatusHistoryDto[];

  @Time({ required: false, description: 'When the ledger step was taken.' })
  confirmed_at?: string;

  @Field({
    required: false,
    format: 'uri',
    description:
      'The receipt, which whoever knows its URL may read; once the request has ended with money received.',
    example: 'https://pay.example/receipt/0Zk9mQ2x1c3RlckNvZmZlZTA',
  })
  receipt_url?: string;

  @Uuid({
    required: false,
    description: 'The newest settlement that delivered money of the request and has not failed.',
  })
  settlement_id?: string;

  @Field({ type: [RefundOfRequestDto], description: 'Oldest first; also those that failed.' })
  refunds!: RefundOfRequestDto[];
}

/** @param checkout of a request that has one; a field that both have is the same in both */
export function presentProgress(
  request: DeliveredRequestView,
  checkout: CheckoutDto | undefined,
  urls: CheckoutUrls,
): PaymentRequestProgressDto {
  const { asked, delivery, receiptCode } = request;
  const progress = answer(
    PaymentRequestProgressDto,
    { ...asked, ...request, settlementId: delivery.settlementId },
    {
      order: request.order && presentOrder(request.order),
      amount: checkout?.amount ?? formatAmount(asked!.amount, asked!.decimals),
      received_amount: formatAmount(request.receivedAmount, asked?.decimals ?? 0),
      transfers: request.transfers.map(presentTransfer),
      deposits: presentDeposits(request.transfers),
      status_history: request.history.map((entry) => answer(StatusHistoryDto, entry)),
      refunds: delivery.refunds.map(presentRefund),
      receipt_url: receiptCode === undefined ? undefined : urls.receipt(receiptCode),
    },
  );
  return { ...progress, ...checkout };
}

function presentRefund(refund: RefundRecord): RefundOfRequestDto {
  return answer(RefundOfRequestDto, refund, { amount: formatAmount(refund.amount, refund.decimals) });
}

export function presentRequest(request: PaymentRequestView): PaymentRequestDto {
  return answer(PaymentRequestDto, request, {
    amount: formatAmount(request.amount, request.decimals),
    order: request.order && presentOrder(request.order),
  });
}
