import { LRUCache } from 'lru-cache';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { RateLimits, type CallerAddressRanges, type RateLimitPolicy } from '#shared/kernel/rate-limits.js';

/** Maximum number of keys to store, which takes some tens of megabytes. */
export const MAX_RATE_LIMIT_KEYS = 100_000;
const WINDOW_MS = 60_000;

interface CallWindow {
  readonly startedAt: number;
  taken: number;
}

export function perMinuteRateLimit(name: string, quota: number): RateLimitPolicy {
  return { name, quota, seconds: WINDOW_MS / 1_000 };
}

/**
 * Counts per process in one-minute windows, against floods and guessing. Exact limits are counted in the database.
 */
export class WindowRateLimits extends RateLimits {
  private readonly windows: LRUCache<string, CallWindow>;

  /** @param now monotonic milliseconds */
  constructor(
    private readonly now: () => number = () => performance.now(),
    mostKeys = MAX_RATE_LIMIT_KEYS,
  ) {
    super();
    this.windows = new LRUCache({ max: mostKeys });
  }

  /** Rejected calls are not counted. @returns 0 if allowed, otherwise the whole seconds to wait */
  countCall(key: string, perMinute: number): number {
    const now = this.now();
    let window = this.windows.get(key);
    if (window === undefined || now - window.startedAt >= WINDOW_MS) window = { startedAt: now, taken: 0 };
    this.windows.set(key, window);
    if (window.taken >= perMinute) return Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - now) / 1000));
    window.taken += 1;
    return 0;
  }

  /**
   * @param perMinute limit of the smallest range; larger ranges have a multiple of it @returns 0 if allowed,
   * otherwise the whole seconds to wait
   */
  countCallInRanges(caller: CallerAddressRanges, key: string, perMinute: number): number {
    const wait = Math.max(
      ...caller.map(({ name, share }) => this.secondsToWait(`${key} ${name}`, perMinute * share)),
    );
    if (wait > 0) return wait;
    for (const { name, share } of caller) this.countCall(`${key} ${name}`, perMinute * share);
    return 0;
  }

  override require(key: string, perMinute: number): void {
    const wait = this.countCall(key, perMinute);
    if (wait > 0) throw new RateLimited(wait, perMinuteRateLimit('operation', perMinute));
  }

  /** Checks a limit without counting a call. @returns 0 if a call is allowed, otherwise the whole seconds to wait */
  private secondsToWait(key: string, perMinute: number): number {
    const window = this.windows.get(key);
    if (window === undefined || window.taken < perMinute) return 0;
    return Math.max(0, Math.ceil((window.startedAt + WINDOW_MS - this.now()) / 1000));
  }

  /** Returns the calls left and the whole seconds until the limit resets. */
  remainderOf(
    [{ name }]: CallerAddressRanges,
    key: string,
    perMinute: number,
  ): { left: number; seconds: number } {
    const window = this.windows.get(`${key} ${name}`);
    const ends = window === undefined ? 0 : window.startedAt + WINDOW_MS - this.now();
    if (window === undefined || ends <= 0) return { left: perMinute, seconds: WINDOW_MS / 1_000 };
    return { left: Math.max(0, perMinute - window.taken), seconds: Math.ceil(ends / 1_000) };
  }

  get size(): number {
    return this.windows.size;
  }
}
