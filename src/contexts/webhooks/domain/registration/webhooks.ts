import type { WebhookId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Actor } from '#contexts/identity/contract/audit-log.js';
import type { Owner, Webhook } from './webhook.js';
import type { SealedSecret } from './webhook-secrets.js';

/** A webhook as it is asked for; the store gives it its times. */
export type NewWebhook = Omit<
  Webhook,
  'active' | 'failing' | 'previousSecretUntil' | 'createdAt' | 'updatedAt'
>;

/**
 * The registered webhooks. Each other method than `add` throws `not_found` where the owner has no such webhook or has
 * deleted it. Those that are told by whom write to the audit log in the same unit of work, where they change anything;
 * others are one statement, in the open unit of work or by itself.
 */
export abstract class Webhooks {
  /**
   * Stores a webhook, active from now on, in a unit of work of its own.
   * @param most webhooks of an account
   * @returns null where it has as many already
   */
  abstract add(webhook: NewWebhook, secret: SealedSecret, most: number, by: Actor): Promise<Webhook | null>;
  /** Oldest first. */
  abstract list(owner: Owner, page: PageRequest): Promise<Page<Webhook>>;
  abstract find(owner: Owner, id: WebhookId): Promise<Webhook>;
  /** What waits goes to the new URL. */
  abstract changeUrl(owner: Owner, id: WebhookId, url: string, by: Actor): Promise<Webhook>;
  /** It hears of events from now on; one that is active already goes on as it was. */
  abstract activate(owner: Owner, id: WebhookId, by: Actor): Promise<Webhook>;
  /** It hears of nothing more; what waits for it is to be ended (`InactiveDeliveries`). */
  abstract deactivate(owner: Owner, id: WebhookId, by: Actor): Promise<Webhook>;
  /** As deactivating, and nobody finds it any more. Its secrets are forgotten. */
  abstract delete(owner: Owner, id: WebhookId, by: Actor): Promise<void>;
  /**
   * The new secret signs from now on, the current one beside it for `overlapSeconds` (0: no more).
   * @returns null where an earlier rotation's overlap has not ended, which would drop a secret in use
   */
  abstract rotateSecret(
    owner: Owner,
    id: WebhookId,
    secret: SealedSecret,
    overlapSeconds: number,
    by: Actor,
  ): Promise<Webhook | null>;
  /** The previous secret signs no more; safe to repeat. */
  abstract endOverlap(owner: Owner, id: WebhookId, by: Actor): Promise<Webhook>;
  /** The secrets that sign now. */
  abstract signingSecrets(owner: Owner, id: WebhookId): Promise<SigningSecrets>;
}

/** What a delivery is signed with. */
export interface SigningSecrets {
  readonly current: SealedSecret;
  /** While a rotation's overlap lasts. */
  readonly previous?: SealedSecret;
}
