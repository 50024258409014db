import {
  answerFromView,
  AnswerField,
  TimestampField,
  UuidField,
} from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { PageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import { IsDecimalAmount, IsOneOf } from '#shared/platform/http/validation/field-rules.js';
import { parseTimeSince2000 } from '#shared/kernel/instant.js';
import {
  EXAMPLE_ASSET,
  IsReferenceId,
  IsUniqueAssetId,
  IsInstant,
} from '#shared/platform/http/validation/shared-fields.js';
import { toCamelCaseFields } from '#shared/kernel/text.js';
import type { CreateSubscriptionInput } from '../../application/create-subscription.js';
import { REVOKERS, type Revoker, type SubscriptionStatus } from '../../contract/subscription-events.js';
import { BILLING_INTERVALS, type BillingInterval } from '../../domain/billing-interval.js';
import { MAX_SUBSCRIPTION_DAYS_AHEAD, MAX_OFFER_DAYS } from '../../domain/offer-rules.js';
import type { SubscriptionSnapshot } from '../../domain/subscription-snapshot.js';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription-snapshot.js';

const DAYS_AHEAD = MAX_SUBSCRIPTION_DAYS_AHEAD.toLocaleString('en');

export class CreateSubscriptionBody {
  @IsDecimalAmount('Amount of each charge, in whole units of the asset.', { example: '12.5' })
  amount!: string;

  @IsUniqueAssetId(
    'Unique id of the asset on its network. Must be one of the payment options of the point of sale.',
  )
  unique_asset_id!: string;

  @IsOneOf(
    BILLING_INTERVALS,
    'Time between due dates, as an ISO 8601 duration: one calendar day (`P1D`), week (`P1W`), month (`P1M`) or ' +
      'year (`P1Y`) in UTC.',
    { example: 'P1M' },
  )
  interval!: BillingInterval;

  @IsReferenceId(
    'Your own id for the subscription. It does not have to be unique. The payment requests of its charges ' +
      'have the same value. Default: none.',
    { example: 'member-1042' },
  )
  reference_id?: string;

  @IsInstant(
    `First due date. Must be in the future, and at most ${DAYS_AHEAD} days ahead. Default: the time of ` +
      'acceptance.',
    { optional: true },
  )
  trial_until?: string;

  @IsInstant(
    'End of the subscription: due dates at or after this time are not charged. Must be later than the ' +
      `latest possible first due date, and at most ${DAYS_AHEAD} days ahead. Default: no end.`,
    { optional: true },
  )
  ends_at?: string;

  @IsInstant(
    'Time until which a wallet can accept the offer. Default: 24 hours from now. Maximum: ' +
      `${MAX_OFFER_DAYS} days from now.`,
    { optional: true },
  )
  expires_at?: string;
}

export class SubscriptionsQuery extends PageQuery {
  @IsOneOf(SUBSCRIPTION_STATUSES, 'Only subscriptions with this status.', {
    optional: true,
    example: 'active',
  })
  status?: SubscriptionStatus;
}

const STATUS = {
  enum: SUBSCRIPTION_STATUSES,
  enumName: 'SubscriptionStatus',
  description:
    'Status of the subscription. `pending`: offered, not accepted yet. `active`: accepted, and nothing is ' +
    'overdue. `past_due`: the latest charge was not paid in time; becomes `active` when a charge is paid. ' +
    '`completed`: ended at `ends_at`. `expired`: not accepted in time. `revoked`: stopped permanently; no ' +
    'further charges.',
};
const TIME_OR_NULL = { type: String, nullable: true, format: 'date-time' };

export class WalletSubscriptionDto {
  @UuidField('Unique id of the subscription.')
  id!: string;

  @AnswerField(STATUS)
  status!: SubscriptionStatus;

  @AnswerField('Time when the offer ends. `null` unless `status` is `pending` or `expired`.', {
    ...TIME_OR_NULL,
  })
  expires_at!: string | null;

  @AnswerField('Next due date. `null` if none is known, or if there are no further charges.', {
    ...TIME_OR_NULL,
  })
  next_charge_at!: string | null;

  @AnswerField(
    'Id that the wallet provider uses for the wallet that accepted the subscription. `null` until a wallet ' +
      'accepts it.',
    { type: String, nullable: true, example: 'wallet-7d1f' },
  )
  wallet_external_id!: string | null;
}

export class SubscriptionDto {
  @UuidField('Unique id of the subscription.')
  id!: string;

  @AnswerField(STATUS)
  status!: SubscriptionStatus;

  @AnswerField('Amount of each charge, in `currency`.', { example: '12.5' })
  amount!: string;

  @AnswerField('Unique id of the asset on its network.', { example: EXAMPLE_ASSET })
  unique_asset_id!: string;

  @AnswerField({ example: 'USDC', description: 'Symbol of the asset.' })
  currency!: string;

  @AnswerField('Network id, such as `erc20` or `polygon`.', { example: 'polygon' })
  network!: string;

  @AnswerField('Time between due dates, as an ISO 8601 duration.', {
    enum: BILLING_INTERVALS,
    enumName: 'BillingInterval',
  })
  interval!: BillingInterval;

  @AnswerField({
    required: false,
    example: 'member-1042',
    description: 'Your own id for the subscription. Absent if none was set.',
  })
  reference_id?: string;

  @TimestampField('First due date. Absent if there is no trial.', { required: false })
  trial_until?: string;

  @TimestampField(
    'End of the subscription: due dates at or after this time are not charged. Absent if it has no end.',
    { required: false },
  )
  ends_at?: string;

  @AnswerField('Next due date. `null` if none is known, or if there are no further charges.', {
    ...TIME_OR_NULL,
  })
  next_charge_at!: string | null;

  @AnswerField('Time when the offer ends. `null` unless `status` is `pending` or `expired`.', {
    ...TIME_OR_NULL,
  })
  expires_at!: string | null;

  @AnswerField({
    required: false,
    example: 'wallet-7d1f',
    description:
      'Id that the wallet provider uses for the wallet that accepted the subscription. Absent until a wallet ' +
      'accepts it.',
  })
  wallet_external_id?: string;

  @UuidField(
    'Id that this service assigned to the wallet that accepted the subscription. Absent until a wallet accepts ' +
      'it.',
    { required: false },
  )
  wallet_id?: string;

  @AnswerField(
    'URL of the page for the payer. Anyone with this URL can pay and revoke the subscription, so send it ' +
      'only to the payer. Absent if the credential does not have the role `write`.',
    { required: false, format: 'uri' },
  )
  url?: string;

  @AnswerField(
    'Who revoked the subscription. `unpaid`: the service revoked it because its charges remained unpaid. ' +
      'Present only if `status` is `revoked`.',
    { required: false, enum: REVOKERS, enumName: 'SubscriptionRevoker' },
  )
  revoked_by?: Revoker;

  @UuidField('Id of the account that the point of sale belongs to.')
  account_id!: string;

  @UuidField('Id of the point of sale of the subscription.')
  point_of_sale_id!: string;

  @TimestampField('Time of creation.')
  created_at!: string;

  @TimestampField('Time of the last change.')
  updated_at!: string;
}

type RequestedSubscription = Omit<CreateSubscriptionInput, 'scope' | 'pointOfSaleId' | 'idempotency'>;

export function toCreateSubscriptionInput(body: CreateSubscriptionBody): RequestedSubscription {
  const { trialUntil, endsAt, expiresAt, ...input } = toCamelCaseFields(body);
  return { ...input, trialUntil: toTime(trialUntil), endsAt: toTime(endsAt), expiresAt: toTime(expiresAt) };
}

function toTime(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseTimeSince2000(text);
}

export function presentForWallet(subscription: SubscriptionSnapshot): WalletSubscriptionDto {
  return answerFromView(WalletSubscriptionDto, subscription, {
    expires_at: offerExpiry(subscription),
    next_charge_at: subscription.next?.at.toISOString() ?? null,
    wallet_external_id: subscription.wallet?.externalId ?? null,
  });
}

/** @param url undefined for callers who may not revoke */
export function presentSubscription(
  subscription: SubscriptionSnapshot,
  url: string | undefined,
): SubscriptionDto {
  const { asset, wallet } = subscription;
  return answerFromView(
    SubscriptionDto,
    { ...asset, ...subscription },
    {
      amount: formatAmount(subscription.amount, asset.decimals),
      currency: asset.symbol,
      next_charge_at: subscription.next?.at.toISOString() ?? null,
      expires_at: offerExpiry(subscription),
      wallet_external_id: wallet?.externalId,
      wallet_id: wallet?.id,
      url,
    },
  );
}

/** Null once the subscription was accepted or revoked, because the offer can no longer expire. */
function offerExpiry({ status, offeredUntil }: SubscriptionSnapshot): string | null {
  return status === 'pending' || status === 'expired' ? offeredUntil.toISOString() : null;
}
