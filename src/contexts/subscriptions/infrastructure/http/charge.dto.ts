import {
  answerFromView,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import { presentListPage, type PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import type { PageRequest } from '#shared/kernel/page.js';
import type { ChargeWithRequest, ChargesWithRequestsPage } from '../persistence/subscription-queries.js';
import { CHARGE_STATUSES, type ChargeStatus } from '../../domain/charge.js';
import type { SubscriptionSnapshot } from '../../domain/subscription-snapshot.js';

/** Has the fields of a payment once a payment request was opened for the charge. */
export class ChargeDto {
  @UuidField('Unique id of the charge.')
  id!: string;

  @TimestampField('Due date of the charge.')
  due_at!: string;

  @AnswerField(
    'Status of the charge. `open`: it is due and not paid yet. `paid`: it has been paid. `unpaid`: it was ' +
      'not paid in time, and no further payment request is created for it.',
    { enum: CHARGE_STATUSES, enumName: 'ChargeStatus' },
  )
  status!: ChargeStatus;

  @AnswerField('Amount of the charge, in `currency`.', { example: '12.5' })
  amount!: string;

  @AnswerField('Unique id of the asset on its network.', { example: EXAMPLE_ASSET })
  unique_asset_id!: string;

  @AnswerField({ example: 'USDC', description: 'Symbol of the asset.' })
  currency!: string;

  @AnswerField('Network id, such as `erc20` or `polygon`.', { example: 'polygon' })
  network!: string;

  @TimestampField('Time from which no further payment request is created for the charge: the next due date.')
  closes_at!: string;

  @TimestampField('Time of payment. Present only if `status` is `paid`.', { required: false })
  paid_at?: string;

  @UuidField(
    'Id of the payment request that paid the charge, or else of the latest one for it. Absent until a payment request ' +
      'is created.',
    { required: false },
  )
  payment_request_id?: string;

  @AnswerField(
    'Status of the latest payment request for the charge. Absent until a payment request is created.',
    {
      required: false,
      example: 'created',
    },
  )
  payment_status?: string;

  @AnswerField(
    'NASPIP payment token of the latest payment request for the charge, for wallets. Absent until a payment ' +
      'request is created.',
    { required: false },
  )
  token?: string;

  @AnswerField({
    required: false,
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    description:
      'Deposit address of the latest payment request for the charge, in EIP-55 form on EVM networks. Absent ' +
      'until a payment request is created.',
  })
  address?: string;

  @AnswerField(
    'Amount received so far by the latest payment request for the charge, in `currency`, including transfers ' +
      'that are not final yet. Absent until a payment request is created.',
    { required: false, example: '0' },
  )
  received_amount?: string;

  @AnswerField(
    'URL of the page where the payer can pay the latest payment request for the charge. Absent until a payment ' +
      'request is created.',
    { required: false, format: 'uri' },
  )
  hosted_checkout_url?: string;

  @TimestampField(
    'Time until which the latest payment request for the charge can be paid. Absent until a payment request is ' +
      'created.',
    { required: false },
  )
  expires_at?: string;

  @AnswerField(
    'Reason why no payment request could be created for the charge, as a sentence. The service tries again. ' +
      'Absent if a payment request was created.',
    { required: false },
  )
  refused?: string;
}

export function presentCharges(page: ChargesWithRequestsPage, request: PageRequest): PageBody<ChargeDto> {
  return presentListPage(page, request, (charge) => presentCharge(page.subscription, charge));
}

function presentCharge(
  subscription: SubscriptionSnapshot,
  { charge, request }: ChargeWithRequest,
): ChargeDto {
  const { asset } = subscription;
  return answerFromView(
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
