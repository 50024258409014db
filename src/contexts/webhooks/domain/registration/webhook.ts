import type { AccountId, OrganizationId, WebhookId } from '#shared/kernel/ids.js';

/**
 * The event types that a webhook can be registered for. `incoming_transfer` is reserved and never sent
 * (docs/reference/webhooks.md).
 */
export const WEBHOOK_EVENT_TYPES = ['payment_request', 'incoming_transfer', 'refund'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export interface WebhookOwner {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

/** A URL that an account has registered for one event type. */
export interface Webhook extends WebhookOwner {
  readonly id: WebhookId;
  /** The URL as the merchant entered it. */
  readonly url: string;
  readonly eventType: WebhookEventType;
  readonly description?: string;
  readonly active: boolean;
  /** True if all attempts of at least 5 days failed. The next acknowledged attempt resets it. */
  readonly failing: boolean;
  /** The previous secret also signs until this time. Absent unless the secret was rotated recently. */
  readonly previousSecretUntil?: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
