import { DEFAULT_MAX_CONNECTIONS } from '../server/http-server.js';
import type { Cidr } from '#shared/kernel/ip-range.js';

/** Requests per minute of one IPv4 address or IPv6 /64 (docs/reference/limits.md, "Rates"). */
export interface PublicRateLimits {
  readonly requests: number;
  readonly misses: number;
  readonly pages: number;
}

export class HttpSettings {
  constructor(
    readonly trustedProxies: readonly Cidr[] = [],
    readonly mostConnections = DEFAULT_MAX_CONNECTIONS,
    readonly publicLimits: PublicRateLimits = { requests: 120, misses: 30, pages: 1_200 },
    /** Set in production, because callers behind an unlisted proxy would share one rate limit. */
    readonly refusesUnlistedProxies = false,
    readonly hstsIncludesSubdomains = false,
  ) {}
}
