import type { VNode } from 'preact';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { Badge } from '#shared/web/parts/badge.js';
import { Name } from '#shared/web/parts/values.js';
import type { ShownWebhook } from '../persistence/webhook-queries.js';
import type { WebhookEventType } from '#contexts/webhooks/domain/registration/webhook.js';

const EVENT_TYPE_LABELS = {
  payment_request: 'Payments',
  incoming_transfer: 'Incoming transfers',
  refund: 'Refunds',
} as const satisfies Record<WebhookEventType, Word>;

export function labelEventType(type: WebhookEventType): (typeof EVENT_TYPE_LABELS)[WebhookEventType] {
  return EVENT_TYPE_LABELS[type];
}

export function WebhookState({ active }: Pick<ShownWebhook, 'active'>): VNode {
  return <Badge status={active ? 'active' : 'inactive'} />;
}

type Health = Pick<ShownWebhook, 'active' | 'failing' | 'lastAttemptFailed'>;

export function WebhookHealth({ active, failing, lastAttemptFailed }: Health): VNode {
  if (!active) return <span class="note">{t('Not receiving events')}</span>;
  if (!failing) return <Badge status={lastAttemptFailed ? 'last_failed' : 'healthy'} />;
  return (
    <>
      <Badge status="failing" />
      <span class="note"> {t('for 5 days')}</span>
    </>
  );
}

export function AccountName({ accountName, accountId }: Pick<ShownWebhook, 'accountName' | 'accountId'>) {
  return <Name name={accountName} id={accountId} href={`/app/accounts/${accountId}`} />;
}
