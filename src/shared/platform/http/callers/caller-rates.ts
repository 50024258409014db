import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { RatePolicy } from '#shared/kernel/rate-limits.js';
import { MAX_KEYS } from './caller-limits.js';
import { RateNotice, type RateFields } from './rate-fields.js';

/** Sums of fractions of a millisecond differ in their last digits. */
const ROUNDING = 1e-6;

export class CallerRate {
  readonly policy: RatePolicy;
  private readonly notice: RateNotice;

  /**
   * @param name the policy's name in answers
   * @param burst how many may come at once after a pause
   */
  constructor(
    name: string,
    readonly perSecond: number,
    readonly burst: number,
  ) {
    const seconds = Math.max(1, Math.ceil(burst / perSecond));
    this.policy = { name, quota: Math.max(burst, perSecond), seconds };
    this.notice = new RateNotice(this.policy);
  }

  /** The fields that the answer carries. There is more within a second, since no rate is below one a second. */
  fields(left: number): RateFields {
    return this.notice.fields(this.policy.name, left, 1);
  }
}

/**
 * Rates per second of callers in this process, in bounded memory: the generic cell rate algorithm (ITU-T I.371), which
 * keeps one time for each key. Every replica counts for itself, and a restart forgets.
 */
@Injectable()
export class CallerRates {
  /** The time, by key, when all that was taken would have come if it had come evenly, in milliseconds. */
  private readonly even: LRUCache<string, number>;

  /** @param now milliseconds that never go back */
  constructor(
    private readonly now: () => number = () => performance.now(),
    mostKeys = MAX_KEYS,
  ) {
    this.even = new LRUCache({ max: mostKeys });
  }

  /**
   * Takes one for this key; what is refused is not counted.
   * @param key names the limit as well as the caller
   * @returns how many are left at this moment
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

  /** @throws RateLimited where none is left, without taking one */
  demandLeft(key: string, rate: CallerRate): void {
    demandLeft((this.even.get(key) ?? 0) - this.now(), rate);
  }

  /** Only tests read it. */
  get size(): number {
    return this.even.size;
  }
}

/** @param ahead milliseconds that what was taken is ahead of an even flow @throws RateLimited */
function demandLeft(ahead: number, { perSecond, burst, policy }: CallerRate): void {
  const wait = ahead - ((burst - 1) * 1_000) / perSecond;
  if (wait > ROUNDING) throw new RateLimited(Math.ceil(wait / 1_000), policy);
}
