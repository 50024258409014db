import { DEFAULT_CONNECTIONS } from '../server/http-server.js';
import type { Cidr } from '../../../kernel/ip-range.js';

export class HttpSettings {
  constructor(
    /** The trusted proxies, whose X-Forwarded-For counts. */
    readonly trustedProxies: readonly Cidr[] = [],
    /** How many connections may be open at once. */
    readonly mostConnections = DEFAULT_CONNECTIONS,
  ) {}
}
