import type { WebhookId } from '#shared/kernel/ids.js';
import type { Actor } from '#contexts/identity/contract/audit-log.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { WebhookOwner, Webhook } from './webhook.js';

export const SECRET_PREFIX = 'whsec_';

/** An encrypted secret. Only the key with this id opens it, and only for the same webhook id. */
export interface EncryptedSecret {
  readonly keyId: string;
  readonly bytes: Buffer;
}

export abstract class WebhookSecrets {
  /** Creates a secret: `whsec_` and 44 random letters and digits (262 bits). It is displayed once. */
  abstract issue(webhook: WebhookId): { secret: string; sealed: EncryptedSecret };
  /** @returns null if the key was removed, or if the bytes belong to another webhook */
  abstract open(webhook: WebhookId, sealed: EncryptedSecret): string | null;
}

export type NewWebhook = Omit<
  Webhook,
  'active' | 'failing' | 'previousSecretUntil' | 'createdAt' | 'updatedAt'
>;

/**
 * The registered webhooks. Every method except `add` throws `not_found` if the owner has no such webhook or has deleted it. A method
 * with `by` records changes in the audit log in the same unit of work. The others are one statement.
 */
export abstract class Webhooks {
  /**
   * Stores an active webhook, in its own unit of work.
   * @param max webhooks per account
   * @returns null if the account has reached the maximum
   */
  abstract add(webhook: NewWebhook, secret: EncryptedSecret, max: number, by: Actor): Promise<Webhook | null>;
  abstract find(owner: WebhookOwner, id: WebhookId): Promise<Webhook>;
  /** Pending deliveries are sent to the new URL. */
  abstract changeUrl(owner: WebhookOwner, id: WebhookId, url: string, by: Actor): Promise<Webhook>;
  /** The webhook receives events from now on. No effect on an active webhook. */
  abstract activate(owner: WebhookOwner, id: WebhookId, by: Actor): Promise<Webhook>;
  /** The webhook stops receiving events. `PostgresInactiveDeliveries` ends its pending deliveries. */
  abstract deactivate(owner: WebhookOwner, id: WebhookId, by: Actor): Promise<Webhook>;
  /** Deactivates the webhook and removes its secrets. No method finds it afterwards. */
  abstract delete(owner: WebhookOwner, id: WebhookId, by: Actor): Promise<void>;
  /**
   * The new secret signs from now on. The current secret also signs for `overlapSeconds`.
   * @returns null during the overlap of an earlier rotation, because a secret in use would be lost
   */
  abstract rotateSecret(
    owner: WebhookOwner,
    id: WebhookId,
    secret: EncryptedSecret,
    overlapSeconds: number,
    by: Actor,
  ): Promise<Webhook | null>;
  /** Stops signing with the previous secret. Can be repeated. */
  abstract endOverlap(owner: WebhookOwner, id: WebhookId, by: Actor): Promise<Webhook>;
  abstract signingSecrets(owner: WebhookOwner, id: WebhookId): Promise<SigningSecrets>;
}

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

/** @throws DomainError not_found, or state_conflict if the webhook is inactive */
export async function findActiveWebhook(
  webhooks: Webhooks,
  owner: WebhookOwner,
  id: WebhookId,
): Promise<Webhook> {
  const webhook = await webhooks.find(owner, id);
  if (webhook.active) return webhook;
  throw stateConflict('The webhook is inactive. Activate it first.');
}
