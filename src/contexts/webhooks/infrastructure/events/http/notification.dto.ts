import { ApiProperty } from '@nestjs/swagger';

/** The field that tells the kinds of bodies apart: each kind has one value for ever. */
const notificationType = (value: string, enumName: string) =>
  ApiProperty({ enum: [value], enumName, description: 'Tells the kinds of bodies apart.' });

class NoticeDto {
  @ApiProperty({ format: 'uuid' })
  payment_request_id!: string;

  @ApiProperty({ required: false, description: 'Your `reference_id`; absent where none was set.' })
  external_reference_id?: string;

  @ApiProperty({ format: 'uuid' })
  point_of_sale_id!: string;

  @ApiProperty({ format: 'uuid' })
  account_id!: string;
}

export class PaymentRequestNoticeDto extends NoticeDto {
  @notificationType('payment_request_status_update', 'PaymentRequestNotificationType')
  notification_type!: string;

  @ApiProperty({ enum: ['fixed'], enumName: 'PaymentRequestType' })
  payment_request_type!: string;

  @ApiProperty({
    enum: ['processing', 'completed', 'underpaid', 'overpaid'],
    enumName: 'NotifiedStatus',
    description: 'A `processing` that comes after one of the others is outdated.',
  })
  status!: string;
}

class TransferNoticeDto extends NoticeDto {
  @ApiProperty({ example: 'polygon' })
  network!: string;

  @ApiProperty({ example: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' })
  unique_asset_id!: string;

  @ApiProperty({ example: 'USDC' })
  currency!: string;

  @ApiProperty({ description: 'Where it was sent to (EIP-55).' })
  address!: string;

  @ApiProperty({ required: false, description: 'Absent where no transaction is known to have brought it.' })
  transaction_hash?: string;
}

export class DepositNoticeDto extends TransferNoticeDto {
  @notificationType('payment_request_deposit', 'DepositNotificationType')
  notification_type!: string;

  @ApiProperty({ description: 'In `currency`.', example: '5' })
  amount!: string;

  @ApiProperty({
    enum: ['late', 'after_outcome', 'other_asset'],
    enumName: 'DepositReason',
    description: 'Why it is no part of what the request received.',
  })
  reason!: string;

  @ApiProperty({
    required: false,
    type: 'integer',
    format: 'int64',
    description: 'Of transfers below their asset’s `minimum_amount`: how many are in it. Absent otherwise.',
    example: 3,
  })
  gathered_transfers?: number;

  @ApiProperty({
    required: false,
    format: 'date',
    description: 'The UTC day of their blocks. Absent otherwise.',
    example: '2026-01-31',
  })
  gathered_on?: string;
}

export class AdjustmentNoticeDto extends TransferNoticeDto {
  @notificationType('payment_request_adjustment', 'AdjustmentNotificationType')
  notification_type!: string;

  @ApiProperty({ description: 'In `currency`, with a minus.', example: '-9.5' })
  amount!: string;

  @ApiProperty({ description: 'What is left of that transaction, in `currency`.', example: '0.5' })
  remaining_amount!: string;

  @ApiProperty({ description: 'Type of the transaction that it takes from.', example: 'payment_in' })
  reverses!: string;
}

export class SettlementNoticeDto {
  @notificationType('settlement_status_update', 'SettlementNotificationType')
  notification_type!: string;

  @ApiProperty({ format: 'uuid' })
  settlement_id!: string;

  @ApiProperty({
    enum: ['completed', 'failed'],
    enumName: 'NotifiedSettlementStatus',
    description:
      '`completed`: the money has arrived, in a final block. `failed`: the block was removed from the chain, and the money is ' +
      'at the deposit addresses again, to be delivered by another settlement.',
  })
  status!: string;

  @ApiProperty({ format: 'uuid' })
  account_id!: string;

  @ApiProperty({ example: 'polygon' })
  network!: string;

  @ApiProperty({ example: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' })
  unique_asset_id!: string;

  @ApiProperty({ example: 'USDC' })
  currency!: string;

  @ApiProperty({ description: 'What the settlement address received, in `currency`.', example: '24.75' })
  amount!: string;

  @ApiProperty({ description: 'What the fee recipient received, in `currency`.', example: '0.25' })
  fee_amount!: string;

  @ApiProperty({ description: 'EIP-55 on EVM networks.' })
  settlement_address!: string;

  @ApiProperty()
  transaction_hash!: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    description: 'Payment requests whose money it is.',
    example: 1,
  })
  payment_count!: number;
}

export class SubscriptionNoticeDto {
  @notificationType('subscription_status_update', 'SubscriptionNotificationType')
  notification_type!: string;

  @ApiProperty({ format: 'uuid' })
  subscription_id!: string;

  @ApiProperty({
    enum: ['pending', 'active', 'past_due', 'completed', 'expired', 'revoked'],
    enumName: 'SubscriptionStatus',
    description:
      '`pending`: offered. `active`: accepted by a wallet, and again once what was owed is paid. `past_due`: its last charge is ' +
      'unpaid. `completed`: past its end. `expired`: not accepted in time. `revoked`: no more charges, for good.',
  })
  status!: string;

  @ApiProperty({ description: 'The subscription’s `reference_id`, else its id: as its charges carry it.' })
  external_reference_id!: string;

  @ApiProperty({ format: 'uuid' })
  point_of_sale_id!: string;

  @ApiProperty({ format: 'uuid' })
  account_id!: string;

  @ApiProperty({ description: 'Of each charge, in `currency`.', example: '5' })
  amount!: string;

  @ApiProperty({ example: 'USDC' })
  currency!: string;

  @ApiProperty({ example: 'polygon' })
  network!: string;

  @ApiProperty({ example: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' })
  unique_asset_id!: string;

  @ApiProperty({ description: '`P1D`, `P1W`, `P1M` or `P1Y`.', example: 'P1M' })
  interval!: string;

  @ApiProperty({ required: false, description: 'Absent before acceptance.' })
  wallet_external_id?: string;

  @ApiProperty({
    required: false,
    format: 'date-time',
    description: 'Absent where no due date is known, or none follows.',
  })
  next_charge_at?: string;

  @ApiProperty({ required: false, format: 'date-time', description: 'Of `pending`: when the offer ends.' })
  expires_at?: string;

  @ApiProperty({
    required: false,
    enum: ['merchant', 'wallet', 'payer', 'unpaid'],
    enumName: 'SubscriptionRevoker',
    description: 'Of `revoked`. `unpaid`: the service itself, since charges stayed unpaid.',
  })
  revoked_by?: string;
}

export class RefundNoticeDto {
  @notificationType('refund_status_update', 'RefundNotificationType')
  notification_type!: string;

  @ApiProperty({ format: 'uuid' })
  refund_id!: string;

  @ApiProperty({ format: 'uuid' })
  payment_request_id!: string;

  @ApiProperty({ description: '`processing`, `completed` or `failed`.', example: 'completed' })
  status!: string;

  @ApiProperty({ format: 'uuid' })
  point_of_sale_id!: string;

  @ApiProperty({ format: 'uuid' })
  account_id!: string;
}
