import { answer, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { presentPage, type PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import type { PageRequest } from '#shared/kernel/page.js';
import type { PayableCharge, PayableChargesPage } from '../persistence/subscription-queries.js';
import { CHARGE_STATUSES, type ChargeStatus } from '../../domain/charge.js';
import type { SubscriptionState } from '../../domain/subscription-state.js';

/** A charge has the fields of a payment once a payment request was opened for it. */
export class ChargeDto {
  @Uuid()
  id!: string;

  @Time()
  due_at!: string;

  @Field({
    enum: CHARGE_STATUSES,
    enumName: 'ChargeStatus',
    description: '`open`: to be paid. `paid`. `unpaid`: nothing is opened for it any more.',
  })
  status!: ChargeStatus;

  @Field({ description: 'In `currency`.', example: '12.5' })
  amount!: string;

  @Field()
  unique_asset_id!: string;

  @Field({ example: 'USDC' })
  currency!: string;

  @Field({ description: 'Network name.', example: 'polygon' })
  network!: string;

  @Time({ description: 'From then on no payment request is opened for it.' })
  closes_at!: string;

  @Time({ required: false })
  paid_at?: string;

  @Uuid({ required: false, description: 'Of the last payment request for it.' })
  payment_request_id?: string;

  @Field({ required: false, description: 'Status of that payment request.', example: 'created' })
  payment_status?: string;

  @Field({ required: false, description: 'Its payment token (NASPIP), for wallets.' })
  token?: string;

  @Field({ required: false, description: 'Where to pay, as people write it.' })
  address?: string;

  @Field({ required: false, description: 'Seen, also what is not final, in `currency`.', example: '0' })
  received_amount?: string;

  @Field({ required: false, format: 'uri', description: 'Its page, for payers.' })
  hosted_checkout_url?: string;

  @Time({ required: false, description: 'Until then a payment to it counts.' })
  expires_at?: string;

  @Field({ required: false, description: 'Why no payment request could be opened, as a sentence.' })
  refused?: string;
}

export function presentCharges(page: PayableChargesPage, request: PageRequest): PageBody<ChargeDto> {
  return presentPage(page, request, (charge) => presentCharge(page.subscription, charge));
}

function presentCharge(subscription: SubscriptionState, { charge, request }: PayableCharge): ChargeDto {
  const { asset } = subscription;
  return answer(
    ChargeDto,
    { ...asset, ...charge },
    {
      amount: formatAmount(subscription.amount, asset.decimals),
      currency: asset.symbol,
      payment_request_id: request?.id,
      payment_status: request?.status,
      token: request?.token,
      address: request?.address,
      received_amount: request && formatAmount(request.receivedAmount, request.decimals),
      hosted_checkout_url: request?.hostedCheckoutUrl,
      expires_at: request?.expiresAt.toISOString(),
      refused: charge.request?.refused,
    },
  );
}
