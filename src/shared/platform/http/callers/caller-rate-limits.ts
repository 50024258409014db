import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { RateLimitPolicy } from '#shared/kernel/rate-limits.js';
import { MAX_RATE_LIMIT_KEYS } from './window-rate-limits.js';
import { RateLimitHeaderBuilder, type RateLimitHeaders } from './rate-limit-headers.js';

const ROUNDING_TOLERANCE_MS = 1e-6;

export class CallerRateLimit {
  readonly policy: RateLimitPolicy;
  private readonly notice: RateLimitHeaderBuilder;

  /** @param burst maximum number of calls in immediate succession after a pause */
  constructor(
    name: string,
    readonly perSecond: number,
    readonly burst: number,
  ) {
    const seconds = Math.max(1, Math.ceil(burst / perSecond));
    this.policy = { name, quota: Math.max(burst, perSecond), seconds };
    this.notice = new RateLimitHeaderBuilder(this.policy);
  }

  /** All rates are at least one per second, so the limit resets within a second. */
  headers(left: number): RateLimitHeaders {
    return this.notice.headers(this.policy.name, left, 1);
  }
}

/** Uses the generic cell rate algorithm (ITU-T I.371), which stores one time per key. */
@Injectable()
export class CallerRateLimits {
  /** Time in milliseconds at which all accepted calls would have arrived at an even rate, by key. */
  private readonly evenTimes: LRUCache<string, number>;

  constructor(
    private readonly now: () => number = () => performance.now(),
    mostKeys = MAX_RATE_LIMIT_KEYS,
  ) {
    this.evenTimes = new LRUCache({ max: mostKeys });
  }

  /** Rejected calls are not counted. @returns the number of calls that are left @throws RateLimited */
  require(key: string, rate: CallerRateLimit): number {
    const { perSecond, burst } = rate;
    const [before, now] = [this.evenTimes.get(key) ?? 0, this.now()];
    requireRoomInBurst(before - now, rate);
    const even = Math.max(before, now) + 1_000 / perSecond;
    this.evenTimes.set(key, even);
    return Math.max(0, Math.floor(burst - ((even - now) * perSecond) / 1_000 + ROUNDING_TOLERANCE_MS));
  }

  requireRemainingCall(key: string, rate: CallerRateLimit): void {
    requireRoomInBurst((this.evenTimes.get(key) ?? 0) - this.now(), rate);
  }

  get size(): number {
    return this.evenTimes.size;
  }
}

/** @param ahead milliseconds from now until the stored even-rate time of the key */
function requireRoomInBurst(ahead: number, { perSecond, burst, policy }: CallerRateLimit): void {
  const wait = ahead - ((burst - 1) * 1_000) / perSecond;
  if (wait > ROUNDING_TOLERANCE_MS) throw new RateLimited(Math.ceil(wait / 1_000), policy);
}
