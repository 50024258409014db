import type { AccountId, OrganizationId, WebhookId } from '../../../shared/kernel/ids.js';

/** What a merchant can register for. `incoming_transfer` is reserved: nothing fires it (specification, Events). */
export const WEBHOOK_EVENT_TYPES = ['payment_request', 'incoming_transfer', 'refund'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** An account's wish to be told of one kind of event at one URL. */
export interface Webhook {
  readonly id: WebhookId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  /** As the merchant spelled it. */
  readonly url: string;
  readonly eventType: WebhookEventType;
  readonly description?: string;
  readonly active: boolean;
  /** Its newest recorded attempt was not acknowledged. */
  readonly failing: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
