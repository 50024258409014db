import type { DeliveryId, PaymentRequestId, WebhookId } from '#shared/kernel/ids.js';
import type { WebhookOwner, WebhookEventType, SigningSecrets } from '../registration/webhook.js';

/** `delivered` and `failed` are final, but a delivery can be resent. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface Delivery {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly eventId?: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: PaymentRequestId;
  readonly status: DeliveryStatus;
  readonly createdAt: Date;
}

export interface NewDelivery extends WebhookOwner {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** A webhook has at most one delivery per event. */
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: PaymentRequestId;
  readonly body: string;
}

export type TestDelivery = Omit<NewDelivery, 'eventId'>;

export interface DeliveryMessage {
  /** Id of the event, or of the delivery for a test. */
  readonly messageId: string;
  readonly webhookId: WebhookId;
  readonly url: string;
  readonly body: string;
  readonly secrets: SigningSecrets;
}

export interface DueDelivery extends DeliveryMessage {
  readonly id: DeliveryId;
  /** Never inactive since the delivery was queued. Otherwise, nothing is sent. */
  readonly active: boolean;
  readonly attemptsBefore: number;
}
