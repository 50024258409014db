export { faultOfBaseUrl } from './addresses.js';
export { PaymentCollectionClient, type ClientOptions } from './payment-collection-client.js';
export { PaymentCollectionError } from './payment-collection-error.js';
export { PointOfSale, type WaitOptions } from './point-of-sale.js';
export { Refunds } from './refunds.js';
export { isFinalStatus, isPaid, type PaidOrNot } from './payment-status.js';
export type { RetryPolicy } from './retrying.js';
export type { EventOptions, ListedEvent, Notice, WebhookNotice } from './events.js';
export {
  verifyWebhook,
  WebhookVerificationError,
  type Delivery,
  type WebhookEvent,
  type WebhookFault,
} from './verify-webhook.js';
export { webhookListener, type ListenerOptions } from './webhook-listener.js';
export type { CallOptions, KeyedOptions, paths, Schemas } from './api-types.js';
