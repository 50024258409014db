import type { DeliveryId } from '#shared/kernel/ids.js';
import type { Delivery } from '../delivery/delivery.js';
import type { Webhook } from '../registration/webhook.js';

/** Events that happened at `from` or later and before `to`. */
export interface ReplayRange {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Sends again what was sent, or sends late what was not: the same delivery with its id and bytes, its schedule from the
 * beginning, its log going on. What is being attempted at this moment is left as it is. A method that writes refuses to
 * run outside a unit of work, must come before anything else that this unit of work locks, and throws `unavailable`
 * while another resend or replay of the webhook is under way.
 */
export abstract class Redeliveries {
  /** Due now, whatever it waited for. @throws not_found where the webhook has no such delivery */
  abstract resend(webhook: Webhook, delivery: DeliveryId): Promise<Delivery>;
  /** How many events of its account and type fall into the range. */
  abstract count(webhook: Webhook, range: ReplayRange): Promise<number>;
  /**
   * All events that `count` counts, those of one payment request one after another in their order; the first of them
   * at once, or behind what it waits for already. A fixed number of statements, unless others change the same
   * deliveries at this moment. @returns how many
   */
  abstract replay(webhook: Webhook, range: ReplayRange): Promise<number>;
}
