import { LRUCache } from 'lru-cache';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { MAX_KEYS } from './caller-limits.js';

const REFUSAL_CACHE_MS = 1_000;

/**
 * Caches rejections by limits that the database counts, so that a flood of rejected requests reaches the database only
 * once a second.
 */
export class RecentRefusals {
  private readonly refused: LRUCache<string, RateLimited>;

  constructor(rememberedMs = REFUSAL_CACHE_MS) {
    this.refused = new LRUCache({ max: MAX_KEYS, ttl: rememberedMs });
  }

  /** Runs `take` unless its last rejection is cached. @throws RateLimited, cached or from `take` */
  async runUnlessRefused<T>(key: string, take: () => Promise<T>): Promise<T> {
    const known = this.refused.get(key);
    if (known !== undefined) throw known;
    try {
      return await take();
    } catch (error) {
      if (error instanceof RateLimited) this.refused.set(key, error);
      throw error;
    }
  }
}
