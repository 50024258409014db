import type { DeliveryId, WebhookId } from '../../../../shared/kernel/ids.js';
import type { Page, PageRequest } from '../../../../shared/kernel/page.js';
import type { Attempt } from '../../domain/delivery/attempt.js';
import type { Owner, WebhookEventType } from '../../domain/registration/webhook.js';

/** One attempt, as its merchant reads it. */
export interface LoggedAttempt extends Attempt {
  readonly id: string;
  readonly deliveryId: DeliveryId;
  readonly webhookId: WebhookId;
  /** The event's, which deliveries carry as `webhook-id`; absent for a test. */
  readonly eventId?: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: string;
}

/** What was attempted, of all webhooks of an account, also of those deleted since. */
export abstract class AttemptLog {
  /** Newest first, with an exact total. */
  abstract page(owner: Owner, page: PageRequest): Promise<Page<LoggedAttempt>>;
}
