import { DEFAULT_CONNECTIONS } from '../server/http-server.js';
import type { Cidr } from '#shared/kernel/ip-range.js';

/**
 * Limits of public requests per minute for an IPv4 address or IPv6 /64 (docs/reference/limits.md, "Rates"). Wider ranges
 * have a multiple.
 */
export interface PublicLimits {
  /** Requests of an address for one id or code: a session, link, claim or subscription. */
  readonly requests: number;
  /** Requests of an address for unknown ids and codes. */
  readonly misses: number;
  /** Requests of an address for each public page without an id, and of one dashboard session. */
  readonly pages: number;
}

export class HttpSettings {
  constructor(
    /** Proxies whose X-Forwarded-For counts. */
    readonly trustedProxies: readonly Cidr[] = [],
    /** Maximum number of open connections. */
    readonly mostConnections = DEFAULT_CONNECTIONS,
    /** Limits of callers without a credential. */
    readonly publicLimits: PublicLimits = { requests: 120, misses: 30, pages: 1_200 },
    /** Set in production: rejects requests through a private proxy that is not trusted. */
    readonly refusesUnlistedProxies = false,
    /** If true, browsers must use TLS for subdomains too (RFC 6797, includeSubDomains). */
    readonly hstsIncludesSubdomains = false,
  ) {}
}
