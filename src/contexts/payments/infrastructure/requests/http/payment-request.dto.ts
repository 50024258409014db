import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { formatAmount } from '#shared/kernel/amount.js';
import { DecimalAmount, Text } from '#shared/platform/http/validation/field-rules.js';
import { Nested } from '#shared/platform/http/validation/nested-fields.js';
import type {
  AskedView,
  DeliveredRequestView,
  PaymentRequestFactsView,
  PaymentRequestView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import type { RefundRecord } from '#contexts/payments/contract/delivery-records.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { TRANSITIONS, type HistoryStatus } from '#contexts/payments/domain/requests/status.js';
import { CheckoutDto, STATUS_DESCRIPTION } from './checkout.dto.js';
import { OrderBody } from './order.dto.js';
import { OrderDto, presentOrder } from './order-answer.dto.js';
import { DepositDto, presentDeposits, presentTransfer, TransferDto } from './transfer.dto.js';

const SELECTED_FIELDS = ['currency', 'unique_asset_id', 'network', 'address'] as const;
const CHECKOUT_FIELDS = [
  'session_id',
  'checkout_url',
  'hosted_checkout_url',
  'coin_code',
  'payment_options',
  'merchant',
  'return_url',
  'payment_link_id',
  'selected',
] as const;

const STATUSES = Object.keys(TRANSITIONS);

export class CreatePaymentRequestBody {
  @DecimalAmount({ description: 'Amount to be paid, in whole units of the asset.', example: '12.50' })
  amount!: string;

  @Text({
    max: 128,
    description: 'One of the point of sale’s payment options: asset and network.',
    example: 'nerc20_t0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  })
  unique_asset_id!: string;

  @Text({ max: 128, optional: true, description: 'Your own order id; it may repeat.', example: 'order-1042' })
  reference_id?: string;

  @Nested(() => OrderBody, {
    optional: true,
    example: { total: '12.50', coin_code: 'USDC', description: 'Table 7' },
  })
  order?: OrderBody;
}

export class PaymentRequestDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: ['fixed'], enumName: 'PaymentRequestType' })
  type!: 'fixed';

  @ApiProperty({
    enum: STATUSES,
    enumName: 'PaymentRequestStatus',
    description: STATUS_DESCRIPTION,
  })
  status!: PaymentRequestStatus;

  @ApiProperty({
    description: 'NASPIP payment token: show it as a QR code, or open a wallet with it.',
    example: 'naspip;…',
  })
  token!: string;

  @ApiProperty({ description: 'Amount asked for.', example: '12.5' })
  amount!: string;

  @ApiProperty({ description: 'Symbol of the asset.', example: 'USDC' })
  currency!: string;

  @ApiProperty({ example: 'nerc20_t0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' })
  unique_asset_id!: string;

  @ApiProperty({ example: 'erc20' })
  network!: string;

  @ApiProperty({ description: 'Deposit address of this request alone (EIP-55).' })
  address!: string;

  @ApiProperty({ required: false, example: 'order-1042' })
  reference_id?: string;

  @ApiProperty({ required: false, type: OrderDto })
  order?: OrderDto;

  @ApiProperty({ format: 'uuid' })
  point_of_sale_id!: string;

  @ApiProperty({ format: 'uuid' })
  account_id!: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class StatusHistoryDto {
  @ApiProperty({
    enum: [...STATUSES, 'confirmed'],
    enumName: 'PaymentRequestStep',
    description: '`confirmed` is the ledger step after the outcome.',
  })
  status!: HistoryStatus;

  @ApiProperty({ format: 'date-time' })
  at!: string;
}

export class RefundOfRequestDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: ['pending', 'processing', 'completed', 'failed'], enumName: 'RefundStatus' })
  status!: RefundRecord['status'];

  @ApiProperty({ description: 'In `currency`.', example: '2.5' })
  amount!: string;

  @ApiProperty({ description: 'Symbol of the asset that was received, and is paid back.', example: 'USDC' })
  currency!: string;

  @ApiProperty({ required: false, description: 'Absent before it is in a block.' })
  transaction_hash?: string;
}

/** A checkout's fields stand beside those that every request has; its own asset and address once one is selected. */
export class PaymentRequestProgressDto extends IntersectionType(
  OmitType(PaymentRequestDto, ['amount', ...SELECTED_FIELDS] as const),
  PartialType(PickType(PaymentRequestDto, SELECTED_FIELDS)),
  PartialType(PickType(CheckoutDto, CHECKOUT_FIELDS)),
) {
  @ApiProperty({
    description: 'Amount asked for: of a checkout in `coin_code`, otherwise in `currency`.',
    example: '12.5',
  })
  amount!: string;

  @ApiProperty({
    description: 'Sum of the counted transfers, also of those that are not final yet, in `currency`.',
    example: '12.5',
  })
  received_amount!: string;

  @ApiProperty({
    type: [TransferDto],
    description:
      'At most 100, in chain order: those that count before those that are booked otherwise, these before others, the ' +
      'earliest first. What has disappeared from the chain is here only where it had been booked.',
  })
  transfers!: TransferDto[];

  @ApiProperty({
    type: [DepositDto],
    description:
      'Those of the transfers that came besides what was received, too late or in another asset, and are booked as ' +
      'deposits of the account.',
  })
  deposits!: DepositDto[];

  @ApiProperty({ type: [StatusHistoryDto] })
  status_history!: StatusHistoryDto[];

  @ApiProperty({ required: false, format: 'date-time', description: 'When the ledger step was taken.' })
  confirmed_at?: string;

  @ApiProperty({
    required: false,
    format: 'uuid',
    description: 'The newest settlement that delivered money of the request and has not failed.',
  })
  settlement_id?: string;

  @ApiProperty({ type: [RefundOfRequestDto], description: 'Oldest first; also those that failed.' })
  refunds!: RefundOfRequestDto[];
}

/** @param checkout of a request that has one */
export function presentProgress(
  request: DeliveredRequestView,
  checkout: CheckoutDto | undefined,
): PaymentRequestProgressDto {
  const { asked } = request;
  return {
    ...presentFacts(request),
    ...(asked === undefined ? {} : presentAsked(asked)),
    // Its amount is the price, its other fields say the same.
    ...checkout,
    amount: checkout?.amount ?? formatAmount(asked!.amount, asked!.decimals),
    received_amount: formatAmount(request.receivedAmount, asked?.decimals ?? 0),
    transfers: request.transfers.map(presentTransfer),
    deposits: presentDeposits(request.transfers),
    status_history: request.history.map(({ status, at }) => ({ status, at: at.toISOString() })),
    confirmed_at: request.confirmedAt?.toISOString(),
    settlement_id: request.delivery.settlementId,
    refunds: request.delivery.refunds.map(presentRefund),
  };
}

function presentRefund({ id, status, amount, decimals, currency, transactionHash }: RefundRecord) {
  return { id, status, amount: formatAmount(amount, decimals), currency, transaction_hash: transactionHash };
}

export function presentRequest(request: PaymentRequestView): PaymentRequestDto {
  const amount = formatAmount(request.amount, request.decimals);
  return { ...presentFacts(request), amount, ...presentAsked(request) };
}

export function presentAsked(asked: AskedView) {
  return {
    currency: asked.currency,
    unique_asset_id: asked.uniqueAssetId,
    network: asked.network,
    address: asked.address,
  };
}

function presentFacts(request: PaymentRequestFactsView & { token: string }) {
  return {
    id: request.id,
    type: request.type,
    status: request.status,
    token: request.token,
    reference_id: request.referenceId,
    order: request.order && presentOrder(request.order),
    point_of_sale_id: request.pointOfSaleId,
    account_id: request.accountId,
    expires_at: request.expiresAt.toISOString(),
    created_at: request.createdAt.toISOString(),
  };
}
