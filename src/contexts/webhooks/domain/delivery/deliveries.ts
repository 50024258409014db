import type { WebhookId } from '#shared/kernel/ids.js';
import type { Attempt } from './attempt.js';
import type { NewDelivery, TestDelivery } from './delivery.js';
import type { WebhookEventType } from '../registration/webhook.js';

/** An event and a webhook that is to hear of it. */
export interface Subscription {
  readonly eventId: string;
  readonly webhookId: WebhookId;
}

/** The deliveries of all webhooks. */
export abstract class Deliveries {
  /**
   * Who is to hear of these events of the log: the active webhooks of each event's account that were registered for
   * the type before the event happened, in the order of transactions.
   */
  abstract subscriptions(eventIds: readonly string[], eventType: WebhookEventType): Promise<Subscription[]>;
  /** Stores deliveries, due at once; refuses to run outside a unit of work. An event is queued once per webhook. */
  abstract queue(deliveries: readonly NewDelivery[]): Promise<void>;
  /**
   * Stores a test with its one attempt, which counts for the webhook's health as any other; refuses to run outside a
   * unit of work.
   * @returns the id of its entry in the log
   */
  abstract recordTest(test: TestDelivery, attempt: Attempt): Promise<string>;
}
