import { DEFAULT_CONNECTIONS } from '../server/http-server.js';
import type { Cidr } from '#shared/kernel/ip-range.js';

/**
 * Rate limits for callers without a credential, in requests per minute of one IPv4 address or IPv6 /64
 * (docs/reference/limits.md, "Rates"). Larger IPv6 ranges have a multiple.
 */
export interface PublicLimits {
  /** Maximum number of requests of an address for the same id or code, such as a checkout session or payment link. */
  readonly requests: number;
  /** Maximum number of requests of an address for ids and codes that do not exist. */
  readonly misses: number;
  /** Maximum number of requests of an address for a public page without an id, and of one dashboard session. */
  readonly pages: number;
}

export class HttpSettings {
  constructor(
    /** Proxies whose header X-Forwarded-For is believed. */
    readonly trustedProxies: readonly Cidr[] = [],
    /** Maximum number of open connections of this process. */
    readonly mostConnections = DEFAULT_CONNECTIONS,
    /** Rate limits for callers without a credential. */
    readonly publicLimits: PublicLimits = { requests: 120, misses: 30, pages: 1_200 },
    /**
     * Set in production: rejects requests through a proxy with a private address that is missing in `trustedProxies`.
     */
    readonly refusesUnlistedProxies = false,
    /** If true, browsers must use TLS for subdomains too (RFC 6797, includeSubDomains). */
    readonly hstsIncludesSubdomains = false,
  ) {}
}
