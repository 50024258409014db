export interface RateLimitPolicy {
  readonly name: string;
  readonly quota: number;
  readonly seconds: number;
}

export interface CallerAddressRange {
  readonly name: string;
  /** Multiplier of the limit of a single caller. */
  readonly share: number;
}

export type CallerAddressRanges = readonly [CallerAddressRange, ...CallerAddressRange[]];

export abstract class RateLimits {
  /** Rejected calls do not count. @param key identifies both the limit and the caller @throws RateLimited */
  abstract require(key: string, perMinute: number): void;
}
