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
  /** True if all attempts of at least 5 days failed. The next acknowledged attempt resets it. */
  readonly failing: boolean;
  /** The previous secret also signs until this time. Absent unless the secret was rotated recently. */
  readonly previousSecretUntil?: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const SECRET_PREFIX = 'whsec_';

/** An encrypted secret. Only the key with this id opens it, and only for the same webhook id. */
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
  /** Present during the overlap of a rotation. */
  readonly previous?: EncryptedSecret;
}

/** A webhook in a request. It may not exist, or may belong to another account. */
export interface WebhookReference {
  readonly scope: Scope;
  /** Path parameter of the request, not validated. */
  readonly accountId: string;
  readonly webhookId: WebhookId;
}

export interface AuditedWebhookReference extends WebhookReference, Actor {}
