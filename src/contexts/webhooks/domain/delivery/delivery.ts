import type { DeliveryId, PaymentRequestId, WebhookId } from '#shared/kernel/ids.js';
import type { WebhookOwner, WebhookEventType, SigningSecrets } from '../registration/webhook.js';

/** `delivered` and `failed` are final, but a delivery can be resent. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface Delivery {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** Id of the delivered event. Absent for a test message. */
  readonly eventId?: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: PaymentRequestId;
  readonly status: DeliveryStatus;
  readonly createdAt: Date;
}

export interface NewDelivery extends WebhookOwner {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** The event's id in the event log. A webhook has at most one delivery per event. */
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: PaymentRequestId;
  /** Request body, in canonical JSON. */
  readonly body: string;
}

/** A delivery of a test message, which belongs to no event. */
export type TestDelivery = Omit<NewDelivery, 'eventId'>;

export interface DeliveryMessage {
  /**
   * Id of the event, or of the delivery for a test. The same in every attempt, so that receivers can detect
   * duplicates.
   */
  readonly messageId: string;
  readonly webhookId: WebhookId;
  readonly url: string;
  readonly body: string;
  readonly secrets: SigningSecrets;
}

export interface DueDelivery extends DeliveryMessage {
  readonly id: DeliveryId;
  /** True if the webhook was never inactive since the delivery was queued. Otherwise, nothing is sent. */
  readonly active: boolean;
  /** Number of attempts made before the delivery was last resent. */
  readonly attemptsBefore: number;
}
