import { DEFAULT_CONNECTIONS } from '../server/http-server.js';
import type { Cidr } from '#shared/kernel/ip-range.js';

/** Requests per minute of one IPv4 address or IPv6 /64 (docs/reference/limits.md, "Rates"). */
export interface PublicLimits {
  readonly requests: number;
  readonly misses: number;
  readonly pages: number;
}

export class HttpSettings {
  constructor(
    readonly trustedProxies: readonly Cidr[] = [],
    readonly mostConnections = DEFAULT_CONNECTIONS,
    readonly publicLimits: PublicLimits = { requests: 120, misses: 30, pages: 1_200 },
    /** Set in production, because callers behind an unlisted proxy would share one rate limit. */
    readonly refusesUnlistedProxies = false,
    readonly hstsIncludesSubdomains = false,
  ) {}
}
