import { ApiProperty } from '@nestjs/swagger';
import { formatAmount } from '../../../../shared/kernel/amount.js';
import { DecimalAmount, Text } from '../../../../shared/platform/http/field-rules.js';
import { Nested } from '../../../../shared/platform/http/nested-fields.js';
import type {
  PaymentRequestProgressView,
  PaymentRequestView,
  TransferView,
} from '../../application/payment-request-view.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import { TRANSITIONS, type HistoryStatus } from '../../domain/status.js';
import { OrderDto } from './order.dto.js';

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

  @Nested(() => OrderDto, { optional: true })
  order?: OrderDto;
}

export class PaymentRequestDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: ['fixed'] })
  type!: 'fixed';

  @ApiProperty({
    enum: STATUSES,
    description: 'Poll every 3 seconds until completed, underpaid, overpaid, expired or failed.',
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

export class TransferDto {
  @ApiProperty()
  transaction_hash!: string;

  @ApiProperty({ example: '12.5' })
  amount!: string;

  @ApiProperty({ description: 'Sender (EIP-55).' })
  from!: string;

  @ApiProperty({ description: 'At most required_confirmations.' })
  confirmations!: number;

  @ApiProperty()
  required_confirmations!: number;

  @ApiProperty({ description: 'It can no longer disappear.' })
  final!: boolean;

  @ApiProperty({
    description: 'Part of received_amount: in time, in the asset asked for, before the outcome.',
  })
  counted!: boolean;

  @ApiProperty({ format: 'date-time' })
  detected_at!: string;
}

export class StatusHistoryDto {
  @ApiProperty({
    enum: [...STATUSES, 'confirmed'],
    description: '`confirmed` is the ledger step after the outcome.',
  })
  status!: HistoryStatus;

  @ApiProperty({ format: 'date-time' })
  at!: string;
}

export class PaymentRequestProgressDto extends PaymentRequestDto {
  @ApiProperty({
    description: 'Sum of the counted transfers, also of those that are not final yet.',
    example: '12.5',
  })
  received_amount!: string;

  @ApiProperty({
    type: [TransferDto],
    description: 'At most 100, in chain order: those that count before others, the earliest first.',
  })
  transfers!: TransferDto[];

  @ApiProperty({ type: [StatusHistoryDto] })
  status_history!: StatusHistoryDto[];

  @ApiProperty({ required: false, format: 'date-time', description: 'When the ledger step was taken.' })
  confirmed_at?: string;
}

export function presentProgress(request: PaymentRequestProgressView): PaymentRequestProgressDto {
  return {
    ...presentRequest(request),
    received_amount: formatAmount(request.receivedAmount, request.decimals),
    transfers: request.transfers.map(presentTransfer),
    status_history: request.history.map(({ status, at }) => ({ status, at: at.toISOString() })),
    ...(request.confirmedAt === undefined ? {} : { confirmed_at: request.confirmedAt.toISOString() }),
  };
}

export function presentRequest(request: PaymentRequestView): PaymentRequestDto {
  return {
    id: request.id,
    type: request.type,
    status: request.status,
    token: request.token,
    amount: formatAmount(request.amount, request.decimals),
    currency: request.currency,
    unique_asset_id: request.uniqueAssetId,
    network: request.network,
    address: request.address,
    ...(request.referenceId === undefined ? {} : { reference_id: request.referenceId }),
    ...(request.order === undefined ? {} : { order: request.order as OrderDto }),
    point_of_sale_id: request.pointOfSaleId,
    account_id: request.accountId,
    expires_at: request.expiresAt.toISOString(),
    created_at: request.createdAt.toISOString(),
  };
}

function presentTransfer(transfer: TransferView): TransferDto {
  return {
    transaction_hash: transfer.transactionHash,
    amount: formatAmount(transfer.amount, transfer.decimals),
    from: transfer.from,
    confirmations: transfer.confirmations,
    required_confirmations: transfer.requiredConfirmations,
    final: transfer.final,
    counted: transfer.counted,
    detected_at: transfer.detectedAt.toISOString(),
  };
}
