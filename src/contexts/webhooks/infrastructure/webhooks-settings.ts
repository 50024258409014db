import type { EndpointPolicy } from '../domain/endpoints/endpoint-rules.js';
import type { WebhookLimits } from '../application/registration/register-webhook.js';

/** One AES-256 key: 32 bytes under an id that is stored beside what it sealed. */
export interface SecretKey {
  readonly id: string;
  readonly secret: Buffer;
}

export interface WebhooksOptions {
  /** The first seals new secrets, the others still open old ones. */
  readonly secretKeys: readonly SecretKey[];
  /** Development only: deliveries may go to loopback addresses, there also by plain HTTP. */
  readonly allowLoopbackHttp: boolean;
  /** Most deliveries that one process holds at a time; 256 unless set. */
  readonly deliveryConcurrency?: number;
  /** Most webhooks of an account; 50 unless set. */
  readonly perAccount?: number;
  /** PEM, believed beside the public certificate authorities; none unless set. */
  readonly certificateAuthorities?: readonly string[];
}

export class WebhooksSettings implements EndpointPolicy, WebhookLimits {
  readonly secretKeys: readonly SecretKey[];
  readonly allowLoopbackHttp: boolean;
  readonly deliveryConcurrency: number;
  readonly perAccount: number;
  readonly certificateAuthorities: readonly string[];

  constructor(options: WebhooksOptions) {
    this.secretKeys = options.secretKeys;
    this.allowLoopbackHttp = options.allowLoopbackHttp;
    this.deliveryConcurrency = options.deliveryConcurrency ?? 256;
    this.perAccount = options.perAccount ?? 50;
    this.certificateAuthorities = options.certificateAuthorities ?? [];
  }
}
