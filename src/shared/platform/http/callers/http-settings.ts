import type { Cidr } from '../../../kernel/ip-range.js';

export class HttpSettings {
  constructor(
    /** The trusted proxies, whose X-Forwarded-For counts. */
    readonly trustedProxies: readonly Cidr[] = [],
  ) {}
}
