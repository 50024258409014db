import type { DeliveryId, PaymentRequestId, WebhookId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { TimeRange } from '#shared/kernel/time-range.js';
import type { Attempt } from '../../domain/delivery/attempt.js';
import type { DeliveryStatus } from '../../domain/delivery/delivery.js';
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

/** One attempt with the bytes that it sent. */
export interface SentAttempt extends LoggedAttempt {
  /** Canonical JSON. */
  readonly body: string;
}

/** Which attempts are wanted; what is left out does not narrow. */
export interface AttemptFilter extends TimeRange {
  readonly status?: DeliveryStatus;
  readonly paymentRequestId?: PaymentRequestId;
}

/** What was attempted, of all webhooks of an account, also of those deleted since. */
export abstract class AttemptLog {
  /** Newest first, with an exact total. */
  abstract page(owner: Owner, page: PageRequest): Promise<Page<LoggedAttempt>>;
  /** Those of one webhook, as `page`. */
  abstract ofWebhook(
    owner: Owner,
    webhook: WebhookId,
    filter: AttemptFilter,
    page: PageRequest,
  ): Promise<Page<SentAttempt>>;
}
