/** A limit that answers name: so many in so many seconds. */
export interface RatePolicy {
  /** Stable word, e.g. `credential`; callers distinguish limits by it (docs/reference/limits.md). */
  readonly name: string;
  readonly quota: number;
  readonly seconds: number;
}

/** A range of addresses in which a caller is counted. */
export interface CallerRange {
  readonly name: string;
  /** How many times the limit of one caller the whole range has. */
  readonly share: number;
}

/** The ranges that a caller's address lies in, the narrowest first. */
export type Caller = readonly [CallerRange, ...CallerRange[]];

/** Limits how often a use case may do what costs others something, such as a call to a foreign host. */
export abstract class RateLimits {
  /**
   * Takes one of `perMinute` for this key.
   * @param key names the limit as well as the caller, so that limits do not share a count
   * @throws RateLimited; what is refused is not counted
   */
  abstract require(key: string, perMinute: number): void;
}
