import { ApiProperty } from '@nestjs/swagger';
import { formatAmount } from '#shared/kernel/amount.js';
import { presentPage, type PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import type { PageRequest } from '#shared/kernel/page.js';
import type { ChargeRequest } from '#contexts/payments/contract/charge-requests.js';
import type { PayableCharge, PayableChargesPage } from '../persistence/subscription-queries.js';
import { CHARGE_STATUSES, type ChargeStatus } from '../../domain/charge.js';
import type { SubscriptionState } from '../../domain/subscription-state.js';

/** A charge has the fields of a payment once a payment request was opened for it. */
export class ChargeDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  due_at!: string;

  @ApiProperty({
    enum: CHARGE_STATUSES,
    enumName: 'ChargeStatus',
    description: '`open`: to be paid. `paid`. `unpaid`: nothing is opened for it any more.',
  })
  status!: ChargeStatus;

  @ApiProperty({ description: 'In `currency`.', example: '12.5' })
  amount!: string;

  @ApiProperty()
  unique_asset_id!: string;

  @ApiProperty({ example: 'USDC' })
  currency!: string;

  @ApiProperty({ description: 'Network name.', example: 'polygon' })
  network!: string;

  @ApiProperty({ format: 'date-time', description: 'From then on no payment request is opened for it.' })
  closes_at!: string;

  @ApiProperty({ required: false, format: 'date-time' })
  paid_at?: string;

  @ApiProperty({ required: false, format: 'uuid', description: 'Of the last payment request for it.' })
  payment_request_id?: string;

  @ApiProperty({ required: false, description: 'Status of that payment request.', example: 'created' })
  payment_status?: string;

  @ApiProperty({ required: false, description: 'Its payment token (NASPIP), for wallets.' })
  token?: string;

  @ApiProperty({ required: false, description: 'Where to pay, as people write it.' })
  address?: string;

  @ApiProperty({ required: false, description: 'Seen, also what is not final, in `currency`.', example: '0' })
  received_amount?: string;

  @ApiProperty({ required: false, format: 'uri', description: 'Its page, for payers.' })
  hosted_checkout_url?: string;

  @ApiProperty({ required: false, format: 'date-time', description: 'Until then a payment to it counts.' })
  expires_at?: string;

  @ApiProperty({ required: false, description: 'Why no payment request could be opened, as a sentence.' })
  refused?: string;
}

export function presentCharges(page: PayableChargesPage, request: PageRequest): PageBody<ChargeDto> {
  return presentPage(page, request, (charge) => presentCharge(page.subscription, charge));
}

function presentCharge(subscription: SubscriptionState, { charge, request }: PayableCharge): ChargeDto {
  const { asset } = subscription;
  return {
    id: charge.id,
    due_at: charge.dueAt.toISOString(),
    status: charge.status,
    amount: formatAmount(subscription.amount, asset.decimals),
    unique_asset_id: asset.uniqueAssetId,
    currency: asset.symbol,
    network: asset.network,
    closes_at: charge.closesAt.toISOString(),
    paid_at: charge.paidAt?.toISOString(),
    ...(request && presentPayment(request)),
    refused: charge.request?.refused,
  };
}

function presentPayment(request: ChargeRequest) {
  return {
    payment_request_id: request.id,
    payment_status: request.status,
    token: request.token,
    address: request.address,
    received_amount: formatAmount(request.receivedAmount, request.decimals),
    hosted_checkout_url: request.hostedCheckoutUrl,
    expires_at: request.expiresAt.toISOString(),
  };
}
