import type { VNode } from 'preact';
import { formatAmount } from '#shared/kernel/amount.js';
import { StateMark, type Tone } from '#shared/web/dashboard/list-parts.js';
import type { SubscriptionStatus } from '#contexts/subscriptions/contract/subscription-events.js';
import type { BillingInterval } from '#contexts/subscriptions/domain/billing-interval.js';
import type { SubscriptionState } from '#contexts/subscriptions/domain/subscription-state.js';

export const INTERVAL_WORDS: Record<BillingInterval, string> = {
  P1D: 'each day',
  P1W: 'each week',
  P1M: 'each month',
  P1Y: 'each year',
};

export const STATUS_WORDS: Record<SubscriptionStatus, string> = {
  pending: 'Offered',
  active: 'Active',
  past_due: 'Past due',
  completed: 'Completed',
  expired: 'Expired',
  revoked: 'Revoked',
};

const TONES: Record<SubscriptionStatus, Tone> = {
  pending: 'care',
  active: 'good',
  past_due: 'bad',
  completed: 'plain',
  expired: 'plain',
  revoked: 'plain',
};

export function SubscriptionMark({ status }: { status: SubscriptionStatus }): VNode {
  return <StateMark tone={TONES[status]}>{STATUS_WORDS[status]}</StateMark>;
}

/** With the asset and its network. */
export function shownPrice({ amount, asset }: SubscriptionState): string {
  return `${formatAmount(amount, asset.decimals)} ${asset.symbol} on ${asset.network}`;
}
