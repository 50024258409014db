import { DEFAULT_CONNECTIONS } from '../server/http-server.js';
import type { Cidr } from '#shared/kernel/ip-range.js';

/**
 * Limits of public requests a minute (docs/reference/limits.md, "Rates") of an IPv4 address or the /64 of an IPv6 one; wider
 * ranges have a multiple of it.
 */
export interface PublicLimits {
  /** Requests of an address for one id or code: a session, a link, a claim, a subscription. */
  readonly requests: number;
  /** Requests of an address for ids and codes that do not exist. */
  readonly misses: number;
  /** Requests of an address for each public page without an id, and of one dashboard session. */
  readonly pages: number;
}

export class HttpSettings {
  constructor(
    /** The trusted proxies, whose X-Forwarded-For counts. */
    readonly trustedProxies: readonly Cidr[] = [],
    /** How many connections may be open at once. */
    readonly mostConnections = DEFAULT_CONNECTIONS,
    /** Limits of callers without a credential. */
    readonly publicLimits: PublicLimits = { requests: 120, misses: 30, pages: 1_200 },
    /** True in production: a request through a private proxy that is not trusted is refused. */
    readonly refusesUnlistedProxies = false,
    /** True if browsers must use TLS for the subdomains of this host too (RFC 6797, includeSubDomains). */
    readonly hstsIncludesSubdomains = false,
  ) {}
}
