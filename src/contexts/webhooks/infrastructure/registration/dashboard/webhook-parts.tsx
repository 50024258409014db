import type { VNode } from 'preact';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { RecordName } from '#shared/web/parts/values.js';
import type { WebhookView } from '../persistence/webhook-queries.js';
import type { WebhookEventType } from '#contexts/webhooks/domain/registration/webhook.js';

const EVENT_TYPE_LABELS = {
  payment_request: 'Payments',
  incoming_transfer: 'Incoming transfers',
  refund: 'Refunds',
} as const satisfies Record<WebhookEventType, Word>;

export function labelEventType(type: WebhookEventType): (typeof EVENT_TYPE_LABELS)[WebhookEventType] {
  return EVENT_TYPE_LABELS[type];
}

export function WebhookStatusBadge({ active }: Pick<WebhookView, 'active'>): VNode {
  return <StatusBadge status={active ? 'active' : 'inactive'} />;
}

type Health = Pick<WebhookView, 'active' | 'failing' | 'lastAttemptFailed'>;

export function WebhookHealthBadge({ active, failing, lastAttemptFailed }: Health): VNode {
  if (!active) return <span class="note">{t('Not receiving events')}</span>;
  if (!failing) return <StatusBadge status={lastAttemptFailed ? 'last_failed' : 'healthy'} />;
  return (
    <>
      <StatusBadge status="failing" />
      <span class="note"> {t('for 5 days')}</span>
    </>
  );
}

export function AccountName({ accountName, accountId }: Pick<WebhookView, 'accountName' | 'accountId'>) {
  return <RecordName name={accountName} id={accountId} href={`/app/accounts/${accountId}`} />;
}
