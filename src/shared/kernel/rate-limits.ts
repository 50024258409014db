/** A rate limit as described in response headers: a number of requests per number of seconds. */
export interface RatePolicy {
  /** Stable name, e.g. `credential`. Callers distinguish limits by it (docs/reference/limits.md). */
  readonly name: string;
  readonly quota: number;
  readonly seconds: number;
}

/** An IP address range whose requests are counted together. */
export interface CallerAddressRange {
  readonly name: string;
  /** Multiplier of the limit for this range, relative to the limit of a single caller. */
  readonly share: number;
}

/** The IP address ranges that contain the caller's address, smallest range first. */
export type Caller = readonly [CallerAddressRange, ...CallerAddressRange[]];

/** Limits how often a caller may trigger expensive work, such as a call to an external host. */
export abstract class RateLimits {
  /**
   * Counts one call and rejects it if `perMinute` is exceeded. Rejected calls do not count.
   * @param key identifies both the limit and the caller, so that different limits are counted separately
   * @throws RateLimited
   */
  abstract require(key: string, perMinute: number): void;
}
