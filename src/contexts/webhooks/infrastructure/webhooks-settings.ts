import type { EndpointPolicy } from '../domain/endpoint-rules.js';

/** AES-256 keys by id. To rotate, add a key and make it current; drop the old one when nothing is sealed with it. */
export interface SecretKeyRing {
  readonly current: string;
  /** 32 bytes each. */
  readonly keys: ReadonlyMap<string, Buffer>;
}

export class WebhooksSettings implements EndpointPolicy {
  constructor(
    readonly secretKeys: SecretKeyRing,
    /** Development only: deliveries may go to loopback addresses, there also by plain HTTP. */
    readonly allowLoopbackHttp: boolean,
    /** Most deliveries that this process holds at a time. */
    readonly deliveryConcurrency: number,
    /** PEM, believed beside the public certificate authorities. */
    readonly certificateAuthorities: readonly string[] = [],
  ) {
    for (const [id, key] of secretKeys.keys) {
      if (key.length !== 32) throw new Error(`The webhook secret key ${id} must be 32 bytes, not ${key.length}.`);
    }
    if (!secretKeys.keys.has(secretKeys.current)) {
      throw new Error(`The current webhook secret key ${secretKeys.current} is not in the key ring.`);
    }
    if (!Number.isInteger(deliveryConcurrency) || deliveryConcurrency < 1) {
      throw new Error('The webhook delivery concurrency must be a whole number of at least 1.');
    }
  }
}
