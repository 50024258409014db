import type { AccountId, OrganizationId, WebhookId } from '#shared/kernel/ids.js';

/** The event types that a merchant can register for. Nothing fires `incoming_transfer`, which is reserved (docs/reference/webhooks.md). */
export const WEBHOOK_EVENT_TYPES = ['payment_request', 'incoming_transfer', 'refund'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** The account that a webhook belongs to. */
export interface WebhookOwner {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

/** An account's registration of one URL for one kind of event. */
export interface Webhook extends WebhookOwner {
  readonly id: WebhookId;
  /** The URL in the merchant's spelling. */
  readonly url: string;
  readonly eventType: WebhookEventType;
  readonly description?: string;
  readonly active: boolean;
  /** Nothing but failures for 5 days and more; ends with the first attempt that is acknowledged. */
  readonly failing: boolean;
  /** Until then the secret before the current one signs too; absent unless it was rotated a short while ago. */
  readonly previousSecretUntil?: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
