import type { Webhook } from './webhook.js';
import type { SealedSecret } from './webhook-secrets.js';

/** A webhook as it is asked for; the store gives it its times. */
export type NewWebhook = Omit<Webhook, 'active' | 'failing' | 'createdAt' | 'updatedAt'>;

/** The registered webhooks. */
export abstract class Webhooks {
  /** Stores a webhook, active from now on, in one statement of its own. */
  abstract add(webhook: NewWebhook, secret: SealedSecret): Promise<Webhook>;
}
