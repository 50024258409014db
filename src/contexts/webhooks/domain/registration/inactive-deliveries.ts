import type { WebhookId } from '../../../../shared/kernel/ids.js';

/** What waits for webhooks that were deactivated or deleted. */
export abstract class UnwantedDeliveries {
  /** Some of the webhooks for which something may wait that they do not want any more. */
  abstract webhooks(): Promise<WebhookId[]>;
  /**
   * Ends some of what waits for a webhook as failed, with an entry in its log; waits for nobody, and refuses to run
   * outside a unit of work. What is being attempted is ended by whoever attempts it, and what is queued meanwhile by
   * whoever claims it.
   * @returns whether there may be more
   */
  abstract endSome(webhook: WebhookId): Promise<boolean>;
}
