import type { VNode } from 'preact';
import { Badge, statusWord } from '#shared/web/parts/badge.js';
import { Money } from '#shared/web/parts/money.js';
import type { SubscriptionStatus } from '#contexts/subscriptions/contract/subscription-events.js';
import type { BillingInterval } from '#contexts/subscriptions/domain/billing-interval.js';
import {
  SUBSCRIPTION_STATUSES,
  type SubscriptionState,
} from '#contexts/subscriptions/domain/subscription-state.js';

export const INTERVAL_WORDS: Record<BillingInterval, string> = {
  P1D: 'each day',
  P1W: 'each week',
  P1M: 'each month',
  P1Y: 'each year',
};

/** The statuses as options of a filter. */
export const STATUS_OPTIONS = SUBSCRIPTION_STATUSES.map((value) => ({ value, label: statusWord(value) }));

/** With what it waits for, where it waits. */
export function SubscriptionMark({ status }: { status: SubscriptionStatus }): VNode {
  return (
    <>
      <Badge status={status} />
      {status === 'pending' && <span class="note"> for a wallet</span>}
    </>
  );
}

/** The amount of each charge. */
export function Price({ amount, asset }: Pick<SubscriptionState, 'amount' | 'asset'>): VNode {
  return <Money amount={amount} decimals={asset.decimals} symbol={asset.symbol} />;
}
