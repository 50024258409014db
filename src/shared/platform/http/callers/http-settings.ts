import type { Cidr } from '../../../kernel/ip-range.js';

export class HttpSettings {
  constructor(
    /** The proxies whose X-Forwarded-For is believed. */
    readonly trustedProxies: readonly Cidr[] = [],
  ) {}
}
