import type { DeliveryId, PaymentRequestId, WebhookId } from '#shared/kernel/ids.js';
import type { WebhookOwner, WebhookEventType } from '../registration/webhook.js';
import type { SigningSecrets } from '../registration/webhooks.js';

/** `pending` until it ends; `failed` can be sent again. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** A delivery as its merchant knows it. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** Absent for a test, which has no event. */
  readonly eventId?: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: PaymentRequestId;
  readonly status: DeliveryStatus;
  readonly createdAt: Date;
}

/** One event on its way to one webhook. */
export interface NewDelivery extends WebhookOwner {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  /** The event of the log; with the webhook it is unique. */
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: PaymentRequestId;
  /** Canonical JSON. */
  readonly body: string;
}

/** A message without an event, to try a webhook with. */
export type TestDelivery = Omit<NewDelivery, 'eventId'>;

/** The content and the destination of an attempt. */
export interface Message {
  /** The event's id, or the delivery's where it has no event: the same at every attempt, receivers deduplicate on it. */
  readonly messageId: string;
  readonly webhookId: WebhookId;
  readonly url: string;
  readonly body: string;
  readonly secrets: SigningSecrets;
}

/** A delivery with all that an attempt needs. */
export interface DueDelivery extends Message {
  readonly id: DeliveryId;
  /** True where its webhook has been active ever since it was queued; else nothing is sent. */
  readonly active: boolean;
  /** Attempts made before it was queued last. */
  readonly attemptsBefore: number;
}
