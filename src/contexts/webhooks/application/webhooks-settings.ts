import type { WebhookUrlPolicy } from '../domain/endpoints/webhook-url-rules.js';

export type WebhooksOptions = Pick<WebhooksSettings, 'secretKeys' | 'allowLoopbackHttp'> &
  Partial<WebhooksSettings>;

export class WebhooksSettings implements WebhookUrlPolicy {
  /** The first key encrypts; the others only decrypt. 256 bits. */
  readonly secretKeys!: readonly { readonly id: string; readonly secret: Buffer }[];
  /** Must be true only in development. */
  readonly allowLoopbackHttp!: boolean;
  readonly deliveryConcurrency: number = 256;
  readonly perAccount: number = 50;
  /** Days from the last attempt until a finished delivery is pruned. */
  readonly deliveryRetentionDays: number = 90;
  /** Certificate authorities in PEM, in addition to the public ones. */
  readonly certificateAuthorities: readonly string[] = [];

  constructor(options: WebhooksOptions) {
    Object.assign(this, options);
  }
}
