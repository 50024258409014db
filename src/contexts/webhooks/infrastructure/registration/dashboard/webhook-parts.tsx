import type { VNode } from 'preact';
import { StateMark } from '#shared/web/dashboard/list-parts.js';
import type { ShownWebhook } from '../persistence/webhook-queries.js';
import type { WebhookEventType } from '#contexts/webhooks/domain/registration/webhook.js';

const EVENTS: Record<WebhookEventType, string> = {
  payment_request: 'Payments',
  incoming_transfer: 'Incoming transfers',
  refund: 'Refunds',
};

/** The events of a type, in plain words. */
export function shownEvents(type: WebhookEventType): string {
  return EVENTS[type];
}

export function WebhookState({ active }: Pick<ShownWebhook, 'active'>): VNode {
  return active ? <StateMark tone="good">Active</StateMark> : <StateMark tone="plain">Inactive</StateMark>;
}

export function WebhookHealth({ active, failing }: Pick<ShownWebhook, 'active' | 'failing'>): VNode {
  if (failing) return <StateMark tone="bad">Failing for 5 days</StateMark>;
  return active ? <StateMark tone="good">Well</StateMark> : <span class="note">Not sent to</span>;
}

/** Shows the name of an account, which may be missing or the same as another's. */
export function AccountName({ accountName, accountId }: Pick<ShownWebhook, 'accountName' | 'accountId'>) {
  return accountName === undefined ? <code>{accountId}</code> : <bdi>{accountName}</bdi>;
}
