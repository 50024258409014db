import type { VNode } from 'preact';
import { StateBadge } from '#shared/web/dashboard/page-parts.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { AmountText } from '#shared/web/parts/values.js';
import type { Revoker, SubscriptionStatus } from '#contexts/subscriptions/contract/subscription-events.js';
import type { BillingInterval } from '#contexts/subscriptions/domain/billing-interval.js';
import type { SubscriptionSnapshot } from '#contexts/subscriptions/domain/subscription-snapshot.js';

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
  if (status !== 'pending') return <StatusBadge status={status} />;
  return <StateBadge tone="busy">{t('Awaiting acceptance')}</StateBadge>;
}

export function SubscriptionPrice({ amount, asset }: Pick<SubscriptionSnapshot, 'amount' | 'asset'>): VNode {
  return <AmountText amount={amount} decimals={asset.decimals} symbol={asset.symbol} />;
}
