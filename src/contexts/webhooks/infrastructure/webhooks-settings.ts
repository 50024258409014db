import type { KeyOfRing } from '#shared/platform/settings/setting-reader.js';
import type { DeliveryRetention } from '../application/delivery/prune-deliveries.js';
import type { WebhookLimits } from '../application/registration/register-webhook.js';
import type { EndpointPolicy } from '../domain/endpoints/webhook-url-rules.js';

type Wanted = 'secretKeys' | 'allowLoopbackHttp';
export type WebhooksOptions = Pick<WebhooksSettings, Wanted> & Partial<WebhooksSettings>;

export class WebhooksSettings implements EndpointPolicy, WebhookLimits, DeliveryRetention {
  /** The first seals new secrets, the others still open old ones. */
  readonly secretKeys!: readonly KeyOfRing[];
  /** Development only: deliveries may go to loopback addresses, there also by plain HTTP. */
  readonly allowLoopbackHttp!: boolean;
  /** Most deliveries that one process holds at a time. */
  readonly deliveryConcurrency: number = 256;
  readonly perAccount: number = 50;
  readonly deliveryRetentionDays: number = 90;
  /** PEM, accepted beside the public certificate authorities. */
  readonly certificateAuthorities: readonly string[] = [];

  constructor(options: WebhooksOptions) {
    Object.assign(this, options);
  }
}
