import type { WebhookId } from '#shared/kernel/ids.js';
import type { Actor } from '#contexts/identity/contract/audit-log.js';
import type { Owner, Webhook } from './webhook.js';

export const SECRET_PREFIX = 'whsec_';

/** A secret as it is stored: useless without the key of that id, and under any other webhook's id. */
export interface SealedSecret {
  readonly keyId: string;
  readonly bytes: Buffer;
}

/** Makes and keeps the secrets that deliveries are signed with. */
export abstract class WebhookSecrets {
  /** A fresh secret, `whsec_` and 44 random letters and digits (262 bits), with its stored form. It is shown once. */
  abstract issue(webhook: WebhookId): { secret: string; sealed: SealedSecret };
  /** @returns null when the key is gone or the stored bytes are not that webhook's */
  abstract open(webhook: WebhookId, sealed: SealedSecret): string | null;
}

/** A webhook to be stored; the store sets its times. */
export type NewWebhook = Omit<
  Webhook,
  'active' | 'failing' | 'previousSecretUntil' | 'createdAt' | 'updatedAt'
>;

/**
 * The registered webhooks. Each other method than `add` throws `not_found` where the owner has no such webhook or has
 * deleted it. A method with `by` writes to the audit log in the same unit of work, where it changes anything; the others
 * are one statement, in the open unit of work or by itself.
 */
export abstract class Webhooks {
  /**
   * Stores a webhook, active from now on, in a unit of work of its own.
   * @param max webhooks of an account
   * @returns null where it has as many already
   */
  abstract add(webhook: NewWebhook, secret: SealedSecret, max: number, by: Actor): Promise<Webhook | null>;
  abstract find(owner: Owner, id: WebhookId): Promise<Webhook>;
  /** Deliveries that wait go to the new URL. */
  abstract changeUrl(owner: Owner, id: WebhookId, url: string, by: Actor): Promise<Webhook>;
  /** It hears of events from now on; one that is active already goes on as it was. */
  abstract activate(owner: Owner, id: WebhookId, by: Actor): Promise<Webhook>;
  /** It hears of nothing more; what waits for it is to be ended (`InactiveDeliveries`). */
  abstract deactivate(owner: Owner, id: WebhookId, by: Actor): Promise<Webhook>;
  /** Deactivates it and makes it unfindable. Its secrets are removed. */
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

/** The secrets that a delivery is signed with. */
export interface SigningSecrets {
  readonly current: SealedSecret;
  /** While a rotation's overlap lasts. */
  readonly previous?: SealedSecret;
}
