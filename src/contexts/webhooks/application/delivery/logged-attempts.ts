import type { DeliveryId, PaymentRequestId, WebhookId } from '#shared/kernel/ids.js';
import type { TimeRange } from '#shared/kernel/instant.js';
import type { Attempt } from '../../domain/delivery/attempt.js';
import type { DeliveryStatus } from '../../domain/delivery/delivery.js';
import type { WebhookEventType } from '../../domain/registration/webhook.js';

/** One attempt, as its merchant reads it. */
export interface LoggedAttempt extends Attempt {
  readonly id: string;
  readonly deliveryId: DeliveryId;
  readonly webhookId: WebhookId;
  /** The event's id, which deliveries carry as `webhook-id`; absent for a test. */
  readonly eventId?: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: string;
}

/** One attempt with the bytes that it sent. */
export interface SentAttempt extends LoggedAttempt {
  /** Canonical JSON. */
  readonly body: string;
}

/** A filter of attempts; a field that is left out does not narrow. */
export interface AttemptFilter extends TimeRange {
  readonly status?: DeliveryStatus;
  readonly paymentRequestId?: PaymentRequestId;
}
