import type { Actor } from '#contexts/identity/contract/audit-log.js';
import type { AccountId, OrganizationId, WebhookId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';

export const WEBHOOK_EVENT_TYPES = ['payment_request', 'incoming_transfer', 'refund'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export interface WebhookOwner {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

export interface Webhook extends WebhookOwner {
  readonly id: WebhookId;
  readonly url: string;
  readonly eventType: WebhookEventType;
  readonly description?: string;
  readonly active: boolean;
  /** All attempts of the last 5 days failed. An acknowledged attempt resets it. */
  readonly failing: boolean;
  readonly previousSecretUntil?: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const SECRET_PREFIX = 'whsec_';

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
  readonly previous?: EncryptedSecret;
}

export interface WebhookReference {
  readonly scope: TenantScope;
  readonly accountId: string;
  readonly webhookId: WebhookId;
}

export interface AuditedWebhookReference extends WebhookReference, Actor {}
