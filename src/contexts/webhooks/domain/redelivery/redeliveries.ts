import type { DeliveryId } from '#shared/kernel/ids.js';
import type { Delivery } from '../delivery/delivery.js';
import type { Webhook } from '../registration/webhook.js';

/** Time range, including `from` and excluding `to`. */
export interface ReplayRange {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Resends deliveries, and sends events that were never delivered. A resent delivery has the same id and body. Its retry
 * schedule starts over and its log continues. A delivery that is being attempted is not changed.
 * Methods that write require a unit of work and must take their locks before any others in it. They throw `unavailable` during
 * another resend or replay of the webhook.
 */
export abstract class Redeliveries {
  /** Makes the delivery due now, even if it waits for another one. @throws not_found if the webhook has no such delivery */
  abstract resend(webhook: Webhook, delivery: DeliveryId): Promise<Delivery>;
  /** Counts the events of the webhook's account and type in the range. */
  abstract count(webhook: Webhook, range: ReplayRange): Promise<number>;
  /**
   * Queues all events that `count` counts. Events of one payment request are sent one after another, in order. The first one
   * is due immediately, unless it already waits for a delivery. Uses a constant number of statements, unless the same
   * deliveries are changed concurrently.
   * @returns the number of queued deliveries
   */
  abstract replay(webhook: Webhook, range: ReplayRange): Promise<number>;
}
