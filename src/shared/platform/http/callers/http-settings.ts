import { DEFAULT_CONNECTIONS } from '../server/http-server.js';
import type { Cidr } from '#shared/kernel/ip-range.js';

/**
 * Limits of public requests a minute (docs/api/limits.md, "Rates"); an address is an IPv4 address or the /64 of an IPv6
 * one.
 */
export interface PublicLimits {
  /** Requests of an address for one id or code: a session, a link, a claim, a subscription. */
  readonly requests: number;
  /** Requests of an address in all. */
  readonly addressRequests: number;
  /** Requests of an address for what does not exist, before it counts as guessing. */
  readonly misses: number;
}

export class HttpSettings {
  constructor(
    /** The trusted proxies, whose X-Forwarded-For counts. */
    readonly trustedProxies: readonly Cidr[] = [],
    /** How many connections may be open at once. */
    readonly mostConnections = DEFAULT_CONNECTIONS,
    /** Limits of callers without a credential. */
    readonly publicLimits: PublicLimits = { requests: 120, addressRequests: 1_200, misses: 30 },
  ) {}
}
