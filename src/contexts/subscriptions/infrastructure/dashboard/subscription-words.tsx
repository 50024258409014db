import type { VNode } from 'preact';
import { StateMark } from '#shared/web/dashboard/page-parts.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { Badge } from '#shared/web/parts/badge.js';
import { Money } from '#shared/web/parts/values.js';
import type { Revoker, SubscriptionStatus } from '#contexts/subscriptions/contract/subscription-events.js';
import type { BillingInterval } from '#contexts/subscriptions/domain/billing-interval.js';
import type { SubscriptionState } from '#contexts/subscriptions/domain/subscription-state.js';

export const INTERVAL_WORDS: Record<BillingInterval, Word> = {
  P1D: 'daily',
  P1W: 'weekly',
  P1M: 'monthly',
  P1Y: 'yearly',
};

export const REVOKER_WORDS: Record<Revoker, Word> = {
  merchant: 'the merchant',
  wallet: 'the wallet',
  payer: 'the payer',
  unpaid: 'the service (charges unpaid)',
};

export function SubscriptionStatusBadge({ status }: { status: SubscriptionStatus }): VNode {
  if (status !== 'pending') return <Badge status={status} />;
  return <StateMark tone="busy">{t('Awaiting acceptance')}</StateMark>;
}

export function Price({ amount, asset }: Pick<SubscriptionState, 'amount' | 'asset'>): VNode {
  return <Money amount={amount} decimals={asset.decimals} symbol={asset.symbol} />;
}
