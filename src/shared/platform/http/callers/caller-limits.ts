import { LRUCache } from 'lru-cache';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { RateLimits, type Caller, type RatePolicy } from '#shared/kernel/rate-limits.js';

/** How many keys are remembered at most: some tens of megabytes. */
export const MAX_KEYS = 100_000;
const WINDOW_MS = 60_000;

interface Window {
  readonly startedAt: number;
  taken: number;
}

export function perMinutePolicy(name: string, quota: number): RatePolicy {
  return { name, quota, seconds: WINDOW_MS / 1_000 };
}

/**
 * Counts what callers ask for in this process, in windows of a minute that begin with a key's first request. Against
 * floods and guessing only: every replica counts for itself and a restart forgets; what must be exact is counted in
 * the database.
 */
export class CallerLimits extends RateLimits {
  private readonly windows: LRUCache<string, Window>;

  /**
   * @param now milliseconds that never go back
   * @param mostKeys beyond them the keys whose windows have not been asked for longest start anew
   */
  constructor(
    private readonly now: () => number = () => performance.now(),
    mostKeys = MAX_KEYS,
  ) {
    super();
    this.windows = new LRUCache({ max: mostKeys });
  }

  /**
   * Takes one of `perMinute` for this key; what is refused is not counted.
   * @param key names the limit as well as the caller, so that limits do not share a count
   * @returns 0 when it is allowed, else whole seconds until it will be
   */
  take(key: string, perMinute: number): number {
    const now = this.now();
    let window = this.windows.get(key);
    if (window === undefined || now - window.startedAt >= WINDOW_MS) window = { startedAt: now, taken: 0 };
    this.windows.set(key, window);
    if (window.taken >= perMinute) return Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - now) / 1000));
    window.taken += 1;
    return 0;
  }

  /**
   * Takes one of each range that the caller is counted in, or none where one of them has none left.
   * @param perMinute of the narrowest range
   * @returns 0 when it is allowed, else whole seconds until it will be
   */
  takeOf(caller: Caller, key: string, perMinute: number): number {
    const wait = Math.max(
      ...caller.map(({ name, share }) => this.spent(`${key} ${name}`, perMinute * share)),
    );
    if (wait > 0) return wait;
    for (const { name, share } of caller) this.take(`${key} ${name}`, perMinute * share);
    return 0;
  }

  override require(key: string, perMinute: number): void {
    const wait = this.take(key, perMinute);
    if (wait > 0) throw new RateLimited(wait, perMinutePolicy('operation', perMinute));
  }

  /**
   * Looks whether all of `perMinute` are taken, without taking one.
   * @returns 0 while there is one left, else whole seconds until there will be
   */
  private spent(key: string, perMinute: number): number {
    const window = this.windows.get(key);
    if (window === undefined || window.taken < perMinute) return 0;
    return Math.max(0, Math.ceil((window.startedAt + WINDOW_MS - this.now()) / 1000));
  }

  /** How many of `perMinute` the caller's narrowest range has left, and the whole seconds until there are all again; takes none. */
  leftOf([{ name }]: Caller, key: string, perMinute: number): { left: number; seconds: number } {
    const window = this.windows.get(`${key} ${name}`);
    const ends = window === undefined ? 0 : window.startedAt + WINDOW_MS - this.now();
    if (window === undefined || ends <= 0) return { left: perMinute, seconds: WINDOW_MS / 1_000 };
    return { left: Math.max(0, perMinute - window.taken), seconds: Math.ceil(ends / 1_000) };
  }

  /** Only tests read it. */
  get size(): number {
    return this.windows.size;
  }
}
