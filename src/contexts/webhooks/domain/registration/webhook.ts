import type { Actor } from '#contexts/identity/contract/audit-log.js';
import type { AccountId, OrganizationId, WebhookId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';

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
  /** True if all attempts of the last 5 days or longer failed. An acknowledged attempt resets it. */
  readonly failing: boolean;
  /** Time until which the secret before the last rotation also signs. Absent if only the current secret signs. */
  readonly previousSecretUntil?: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const SECRET_PREFIX = 'whsec_';

/** A webhook secret, encrypted with the key `keyId` and bound to the id of its webhook. */
export interface EncryptedSecret {
  readonly keyId: string;
  readonly bytes: Buffer;
}

export type NewWebhook = Omit<
  Webhook,
  'active' | 'failing' | 'previousSecretUntil' | 'createdAt' | 'updatedAt'
>;

export interface SigningSecrets {
  readonly current: EncryptedSecret;
  /** The secret before the last rotation. Present while both secrets sign. */
  readonly previous?: EncryptedSecret;
}

/** The webhook that an HTTP request names. It may not exist, or may belong to another account. */
export interface WebhookReference {
  readonly scope: Scope;
  /** Account id from the path of the HTTP request, not validated. */
  readonly accountId: string;
  readonly webhookId: WebhookId;
}

export interface AuditedWebhookReference extends WebhookReference, Actor {}
