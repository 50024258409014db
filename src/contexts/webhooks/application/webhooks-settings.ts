import type { EndpointPolicy } from '../domain/endpoints/webhook-url-rules.js';

export type WebhooksOptions = Pick<WebhooksSettings, 'secretKeys' | 'allowLoopbackHttp'> &
  Partial<WebhooksSettings>;

export class WebhooksSettings implements EndpointPolicy {
  /** The first key encrypts new webhook secrets; the other keys only decrypt older secrets. Each key has 256 bits. */
  readonly secretKeys!: readonly { readonly id: string; readonly secret: Buffer }[];
  /** For development only: allows deliveries to loopback addresses, with or without TLS. */
  readonly allowLoopbackHttp!: boolean;
  /** Maximum number of deliveries that one process attempts concurrently. */
  readonly deliveryConcurrency: number = 256;
  /** Maximum number of webhooks per account, including inactive webhooks. */
  readonly perAccount: number = 50;
  /** Days from the last attempt of a finished delivery until it is pruned. */
  readonly deliveryRetentionDays: number = 90;
  /** Certificate authorities in PEM, accepted in addition to the public ones. */
  readonly certificateAuthorities: readonly string[] = [];

  constructor(options: WebhooksOptions) {
    Object.assign(this, options);
  }
}
