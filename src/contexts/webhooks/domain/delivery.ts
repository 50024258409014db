import type {
  AccountId,
  DeliveryId,
  OrganizationId,
  PaymentRequestId,
  WebhookId,
} from '../../../shared/kernel/ids.js';
import type { SealedSecret } from './webhook-secrets.js';
import type { WebhookEventType } from './webhook.js';

/** One event on its way to one webhook. */
export interface NewDelivery {
  readonly id: DeliveryId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly webhookId: WebhookId;
  /** The event of the log; with the webhook it is unique. */
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  readonly paymentRequestId: PaymentRequestId;
  /** Canonical JSON. */
  readonly body: string;
}

/** A delivery with all that an attempt needs. */
export interface DueDelivery {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly url: string;
  readonly body: string;
  readonly secret: SealedSecret;
}
