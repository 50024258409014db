import type { EndpointPolicy } from '../domain/endpoints/webhook-url-rules.js';

export type WebhooksOptions = Pick<WebhooksSettings, 'secretKeys' | 'allowLoopbackHttp'> &
  Partial<WebhooksSettings>;

export class WebhooksSettings implements EndpointPolicy {
  /** The first key seals new secrets, the others still open old ones. Each has 256 bits. */
  readonly secretKeys!: readonly { readonly id: string; readonly secret: Buffer }[];
  /** Development only: deliveries may go to loopback addresses, there also by plain HTTP. */
  readonly allowLoopbackHttp!: boolean;
  /** The maximum of deliveries that one process holds at a time. */
  readonly deliveryConcurrency: number = 256;
  /** The maximum of webhooks of an account, active or not. Each event is queued once for each. */
  readonly perAccount: number = 50;
  /** Days after its last attempt from which on a delivery that has ended is pruned. */
  readonly deliveryRetentionDays: number = 90;
  /** PEM, accepted beside the public certificate authorities. */
  readonly certificateAuthorities: readonly string[] = [];

  constructor(options: WebhooksOptions) {
    Object.assign(this, options);
  }
}
