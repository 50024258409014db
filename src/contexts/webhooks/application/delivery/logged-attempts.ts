import type { DeliveryId, PaymentRequestId, WebhookId } from '#shared/kernel/ids.js';
import type { TimeRange } from '#shared/kernel/instant.js';
import type { Attempt } from '../../domain/delivery/attempt.js';
import type { DeliveryStatus } from '../../domain/delivery/delivery.js';
import type { WebhookEventType } from '../../domain/registration/webhook.js';

export interface LoggedAttempt extends Attempt {
  readonly id: string;
  readonly deliveryId: DeliveryId;
  readonly webhookId: WebhookId;
  /** Sent as `webhook-id`. Absent for a test. */
  readonly eventId?: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: string;
}

export interface SentAttempt extends LoggedAttempt {
  /** Canonical JSON. */
  readonly body: string;
}

/** A filter of attempts. An absent field matches all attempts. */
export interface AttemptFilter extends TimeRange {
  readonly status?: DeliveryStatus;
  readonly paymentRequestId?: PaymentRequestId;
}
