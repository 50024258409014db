import type { Cidr } from './client-address.js';

export class HttpSettings {
  constructor(
    /** The proxies whose X-Forwarded-For is believed. */
    readonly trustedProxies: readonly Cidr[] = [],
  ) {}
}
