import { LRUCache } from 'lru-cache';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { MAX_RATE_LIMIT_KEYS } from './window-rate-limits.js';

const REFUSAL_CACHE_MS = 1_000;

/** Keeps a flood of rejected requests from reaching the database more than once a second. */
export class RateLimitRejectionCache {
  private readonly refused: LRUCache<string, RateLimited>;

  constructor(rememberedMs = REFUSAL_CACHE_MS) {
    this.refused = new LRUCache({ max: MAX_RATE_LIMIT_KEYS, ttl: rememberedMs });
  }

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
