import type { DeliveryId, PaymentRequestId, WebhookId } from '#shared/kernel/ids.js';
import type { WebhookOwner, WebhookEventType, SigningSecrets } from '../registration/webhook.js';

/** `delivered` and `failed` are final, but a delivery can be resent. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface Delivery {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** Absent for a test. */
  readonly eventId?: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: PaymentRequestId;
  readonly status: DeliveryStatus;
  readonly createdAt: Date;
}

export interface NewDelivery extends WebhookOwner {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** Id in the event log. Unique per webhook. */
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: PaymentRequestId;
  /** Canonical JSON. */
  readonly body: string;
}

/** A test message, which has no event. */
export type TestDelivery = Omit<NewDelivery, 'eventId'>;

export interface Message {
  /** Id of the event, or of the delivery if it has no event. The same in every attempt, so receivers deduplicate by it. */
  readonly messageId: string;
  readonly webhookId: WebhookId;
  readonly url: string;
  readonly body: string;
  readonly secrets: SigningSecrets;
}

export interface DueDelivery extends Message {
  readonly id: DeliveryId;
  /** True if the webhook has been active since the delivery was queued. Otherwise, nothing is sent. */
  readonly active: boolean;
  /** Attempts made before the delivery was last queued. */
  readonly attemptsBefore: number;
}
