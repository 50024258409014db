import { answer, Field, Time, Uuid } from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { PageQuery } from '#shared/platform/http/answers/pagination.dto.js';
import { DecimalAmount, OneOf } from '#shared/platform/http/validation/field-rules.js';
import { readInstant } from '#shared/kernel/instant.js';
import { Instant } from '#shared/platform/http/validation/instant.js';
import { ReferenceId, UniqueAssetId } from '#shared/platform/http/validation/shared-fields.js';
import { inCamelCase } from '#shared/kernel/camel-case.js';
import type { CreateSubscriptionInput } from '../../application/create-subscription.js';
import { REVOKERS, type Revoker, type SubscriptionStatus } from '../../contract/subscription-events.js';
import { BILLING_INTERVALS, type BillingInterval } from '../../domain/billing-interval.js';
import { MAX_DAYS_AHEAD, MAX_OFFER_DAYS } from '../../domain/offer-rules.js';
import type { SubscriptionState } from '../../domain/subscription-state.js';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription-state.js';

const DAYS_AHEAD = MAX_DAYS_AHEAD.toLocaleString('en');

export class CreateSubscriptionBody {
  @DecimalAmount({ description: 'Of each charge, in whole units of the asset.', example: '12.5' })
  amount!: string;

  @UniqueAssetId({ description: 'One of the point of sale’s payment options: asset and network.' })
  unique_asset_id!: string;

  @OneOf(BILLING_INTERVALS, {
    description: 'From one due date to the next, by the calendar in UTC: a day, a week, a month or a year.',
    example: 'P1M',
  })
  interval!: BillingInterval;

  @ReferenceId({
    description: 'Your own id of it; it may repeat. The payment requests of its charges have it too.',
    example: 'member-1042',
  })
  reference_id?: string;

  @Instant({
    optional: true,
    description: `The first due date; without it the acceptance is. In the future, at most ${DAYS_AHEAD} days ahead.`,
  })
  trial_until?: string;

  @Instant({
    optional: true,
    description: `Due dates on or after it are not charged. Later than the last possible first due date, at most ${DAYS_AHEAD} days ahead.`,
  })
  ends_at?: string;

  @Instant({
    optional: true,
    description: `Until then a wallet can accept; 24 hours from now unless set, at most ${MAX_OFFER_DAYS} days.`,
  })
  expires_at?: string;
}

export class SubscriptionsQuery extends PageQuery {
  @OneOf(SUBSCRIPTION_STATUSES, {
    optional: true,
    description: 'Only subscriptions that have this status now.',
    example: 'active',
  })
  status?: SubscriptionStatus;
}

const STATUS = {
  enum: SUBSCRIPTION_STATUSES,
  enumName: 'SubscriptionStatus',
  description:
    '`pending`: offered. `active`: accepted. `past_due`: its last charge is unpaid. `completed`: past its end. ' +
    '`expired`: not accepted in time. `revoked`: no more charges, for good.',
};
const TIME_OR_NULL = { type: String, nullable: true, format: 'date-time' };

/** The answer to a wallet. */
export class WalletSubscriptionDto {
  @Uuid()
  id!: string;

  @Field(STATUS)
  status!: SubscriptionStatus;

  @Field({ ...TIME_OR_NULL, description: 'When the offer ends; null unless pending or expired.' })
  expires_at!: string | null;

  @Field({ ...TIME_OR_NULL, description: 'The due date that is charged next; null where none is known.' })
  next_charge_at!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'Of the wallet that has accepted; null where none has.',
    example: 'wallet-7d1f',
  })
  wallet_external_id!: string | null;
}

export class SubscriptionDto {
  @Uuid()
  id!: string;

  @Field(STATUS)
  status!: SubscriptionStatus;

  @Field({ description: 'Of each charge, in `currency`.', example: '12.5' })
  amount!: string;

  @Field()
  unique_asset_id!: string;

  @Field({ example: 'USDC' })
  currency!: string;

  @Field({ description: 'Network name.', example: 'polygon' })
  network!: string;

  @Field({ enum: BILLING_INTERVALS, enumName: 'BillingInterval', description: 'ISO 8601 duration.' })
  interval!: BillingInterval;

  @Field({ required: false, example: 'member-1042' })
  reference_id?: string;

  @Time({ required: false })
  trial_until?: string;

  @Time({ required: false })
  ends_at?: string;

  @Field({ ...TIME_OR_NULL, description: 'The due date that is charged next; null where none is known.' })
  next_charge_at!: string | null;

  @Field({ ...TIME_OR_NULL, description: 'When the offer ends; null unless pending or expired.' })
  expires_at!: string | null;

  @Field({ required: false, description: 'Of the wallet that has accepted: its provider’s id.' })
  wallet_external_id?: string;

  @Uuid({ required: false, description: 'Likewise: the id that this service gave.' })
  wallet_id?: string;

  @Field({
    required: false,
    format: 'uri',
    description:
      'The page to send the payer to. Only for credentials with `write`: who knows it can pay and revoke.',
  })
  url?: string;

  @Field({
    required: false,
    enum: REVOKERS,
    enumName: 'SubscriptionRevoker',
    description: 'Of a revoked one. `unpaid`: the service itself, since charges stayed unpaid.',
  })
  revoked_by?: Revoker;

  @Uuid()
  account_id!: string;

  @Uuid()
  point_of_sale_id!: string;

  @Time()
  created_at!: string;

  @Time()
  updated_at!: string;
}

type AskedSubscription = Omit<CreateSubscriptionInput, 'scope' | 'pointOfSaleId' | 'keyed'>;

export function toAskedSubscription(body: CreateSubscriptionBody): AskedSubscription {
  const { trialUntil, endsAt, expiresAt, ...input } = inCamelCase(body);
  return { ...input, trialUntil: toTime(trialUntil), endsAt: toTime(endsAt), expiresAt: toTime(expiresAt) };
}

function toTime(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : readInstant(text);
}

export function presentForWallet(subscription: SubscriptionState): WalletSubscriptionDto {
  return answer(WalletSubscriptionDto, subscription, {
    expires_at: offerEnd(subscription),
    next_charge_at: subscription.next?.at.toISOString() ?? null,
    wallet_external_id: subscription.wallet?.externalId ?? null,
  });
}

/** @param url of the payer's page, for who may revoke */
export function presentSubscription(
  subscription: SubscriptionState,
  url: string | undefined,
): SubscriptionDto {
  const { asset, wallet } = subscription;
  return answer(
    SubscriptionDto,
    { ...asset, ...subscription },
    {
      amount: formatAmount(subscription.amount, asset.decimals),
      currency: asset.symbol,
      next_charge_at: subscription.next?.at.toISOString() ?? null,
      expires_at: offerEnd(subscription),
      wallet_external_id: wallet?.externalId,
      wallet_id: wallet?.id,
      url,
    },
  );
}

/** A subscription that was accepted or revoked does not expire any more. */
function offerEnd({ status, offeredUntil }: SubscriptionState): string | null {
  return status === 'pending' || status === 'expired' ? offeredUntil.toISOString() : null;
}
