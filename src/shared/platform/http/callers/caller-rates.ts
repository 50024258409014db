import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { RatePolicy } from '#shared/kernel/rate-limits.js';
import { MAX_KEYS } from './caller-limits.js';
import { RateNotice, type RateFields } from './rate-fields.js';

/** Tolerance for rounding errors in sums of fractional milliseconds. */
const ROUNDING = 1e-6;

export class CallerRate {
  readonly policy: RatePolicy;
  private readonly notice: RateNotice;

  /** @param name policy name in answers @param burst number of calls allowed at the same time after a pause */
  constructor(
    name: string,
    readonly perSecond: number,
    readonly burst: number,
  ) {
    const seconds = Math.max(1, Math.ceil(burst / perSecond));
    this.policy = { name, quota: Math.max(burst, perSecond), seconds };
    this.notice = new RateNotice(this.policy);
  }

  /** Returns the rate limit fields of an answer. Rates are at least one per second, so the limit resets within a second. */
  fields(left: number): RateFields {
    return this.notice.fields(this.policy.name, left, 1);
  }
}

/**
 * Limits rates per second by key, in bounded memory. Uses the generic cell rate algorithm (ITU-T I.371), which stores one
 * time per key. Rates are per process and lost on restart.
 */
@Injectable()
export class CallerRates {
  /** Theoretical arrival time by key, in milliseconds: when all accepted calls would have arrived at an even rate. */
  private readonly even: LRUCache<string, number>;

  /** @param now monotonic milliseconds */
  constructor(
    private readonly now: () => number = () => performance.now(),
    mostKeys = MAX_KEYS,
  ) {
    this.even = new LRUCache({ max: mostKeys });
  }

  /**
   * Takes one for this key. Rejected calls are not counted.
   * @param key names both the limit and the caller
   * @returns the current remainder
   * @throws RateLimited
   */
  require(key: string, rate: CallerRate): number {
    const { perSecond, burst } = rate;
    const [before, now] = [this.even.get(key) ?? 0, this.now()];
    demandLeft(before - now, rate);
    const even = Math.max(before, now) + 1_000 / perSecond;
    this.even.set(key, even);
    return Math.max(0, Math.floor(burst - ((even - now) * perSecond) / 1_000 + ROUNDING));
  }

  /** @throws RateLimited if none is left; takes none */
  demandLeft(key: string, rate: CallerRate): void {
    demandLeft((this.even.get(key) ?? 0) - this.now(), rate);
  }

  /** For tests. */
  get size(): number {
    return this.even.size;
  }
}

/** @param ahead milliseconds between now and the theoretical arrival time @throws RateLimited */
function demandLeft(ahead: number, { perSecond, burst, policy }: CallerRate): void {
  const wait = ahead - ((burst - 1) * 1_000) / perSecond;
  if (wait > ROUNDING) throw new RateLimited(Math.ceil(wait / 1_000), policy);
}
