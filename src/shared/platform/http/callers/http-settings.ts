import { DEFAULT_CONNECTIONS } from '../server/http-server.js';
import type { Cidr } from '#shared/kernel/ip-range.js';

/** Of public requests a minute (docs/api/limits.md, "Rates"); an address is an IPv4 address or the /64 of an IPv6 one. */
export interface PublicLimits {
  /** Of an address for one id or code: a session, a link, a claim, a subscription. */
  readonly requests: number;
  /** Of an address in all. */
  readonly addressRequests: number;
  /** Of an address for what there is not, before it counts as guessing. */
  readonly misses: number;
}

export class HttpSettings {
  constructor(
    /** The trusted proxies, whose X-Forwarded-For counts. */
    readonly trustedProxies: readonly Cidr[] = [],
    /** How many connections may be open at once. */
    readonly mostConnections = DEFAULT_CONNECTIONS,
    /** Of callers without a credential. */
    readonly publicLimits: PublicLimits = { requests: 120, addressRequests: 1_200, misses: 30 },
  ) {}
}
