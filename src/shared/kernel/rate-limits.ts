/** A rate limit named in answers: a quota for a number of seconds. */
export interface RatePolicy {
  /** Stable name, e.g. `credential`. Callers distinguish limits by it (docs/reference/limits.md). */
  readonly name: string;
  readonly quota: number;
  readonly seconds: number;
}

/** A range of addresses whose requests are counted together. */
export interface CallerRange {
  readonly name: string;
  /** Multiplier: the range's limit divided by the limit of one caller. */
  readonly share: number;
}

/** The ranges that contain a caller's address, narrowest first. */
export type Caller = readonly [CallerRange, ...CallerRange[]];

/** Limits how often a use case may do work that burdens others, such as a call to an external host. */
export abstract class RateLimits {
  /**
   * Takes one of `perMinute` for this key.
   * @param key names both the limit and the caller, so that limits do not share a count
   * @throws RateLimited; rejected calls are not counted
   */
  abstract require(key: string, perMinute: number): void;
}
