import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { RateLimited } from '../../../kernel/domain-error.js';
import { MOST_KEYS } from './caller-limits.js';

export interface Rate {
  readonly perSecond: number;
  /** How many may come at once after a pause. */
  readonly burst: number;
}

/**
 * Rates per second of callers in this process, in bounded memory: the generic cell rate algorithm (ITU-T I.371), which
 * keeps one time for each key. Every replica counts for itself, and a restart forgets.
 */
@Injectable()
export class CallerRates {
  /** By key, when all that was taken would have come if it had come evenly, in milliseconds. */
  private readonly even: LRUCache<string, number>;

  /** @param now milliseconds that never go back */
  constructor(
    private readonly now: () => number = () => performance.now(),
    mostKeys = MOST_KEYS,
  ) {
    this.even = new LRUCache({ max: mostKeys });
  }

  /**
   * Takes one for this key; what is refused is not counted.
   * @param key names the limit as well as the caller
   * @throws RateLimited
   */
  require(key: string, rate: Rate): void {
    this.demandLeft(key, rate);
    const now = this.now();
    this.even.set(key, Math.max(this.even.get(key) ?? now, now) + 1_000 / rate.perSecond);
  }

  /** @throws RateLimited where none is left, without taking one */
  demandLeft(key: string, { perSecond, burst }: Rate): void {
    const ahead = (this.even.get(key) ?? 0) - this.now();
    const wait = ahead - ((burst - 1) * 1_000) / perSecond;
    // Sums of fractions of a millisecond differ in their last digits.
    if (wait > 1e-6) throw new RateLimited(Math.ceil(wait / 1_000));
  }

  /** For tests of what is kept. */
  get size(): number {
    return this.even.size;
  }
}
