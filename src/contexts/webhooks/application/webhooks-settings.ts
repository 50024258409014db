import type { EndpointPolicy } from '../domain/endpoints/webhook-url-rules.js';

export type WebhooksOptions = Pick<WebhooksSettings, 'secretKeys' | 'allowLoopbackHttp'> &
  Partial<WebhooksSettings>;

export class WebhooksSettings implements EndpointPolicy {
  /** The first key encrypts new secrets. The others decrypt older secrets. Each key has 256 bits. */
  readonly secretKeys!: readonly { readonly id: string; readonly secret: Buffer }[];
  /** For development only: allows deliveries to loopback addresses, also over plain HTTP. */
  readonly allowLoopbackHttp!: boolean;
  /** Maximum number of deliveries that one process attempts concurrently. */
  readonly deliveryConcurrency: number = 256;
  /** Maximum number of webhooks per account, active or not. Each event is queued once per webhook. */
  readonly perAccount: number = 50;
  /** Days from the last attempt of a finished delivery until it is pruned. */
  readonly deliveryRetentionDays: number = 90;
  /** PEM. Accepted in addition to the public certificate authorities. */
  readonly certificateAuthorities: readonly string[] = [];

  constructor(options: WebhooksOptions) {
    Object.assign(this, options);
  }
}
