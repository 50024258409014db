/** Leaves most of even a low limit for reading blocks. */
const SIDE_CALL_INTERVAL_MS = 1_000;
const LIMIT_LASTS_MS = 60_000;
/** A caller that would have to wait longer must retry later. */
const MAX_WAIT_MS = 5_000;

/**
 * Reading blocks has priority, because an undetected payment is worse than a late fee. Times are monotonic
 * milliseconds.
 */
export class LowPriorityCallLimiter {
  private limitedUntil = -Infinity;
  private next = -Infinity;

  recordRateLimit(now: number, retryAfterMs: number | null): void {
    this.limitedUntil = now + LIMIT_LASTS_MS;
    this.next = Math.max(this.next, now + (retryAfterMs ?? 0));
  }

  /**
   * @returns the wait in milliseconds; null if it is too long, in which case no slot is reserved
   */
  reserveSlot(now: number): number | null {
    if (now >= Math.max(this.limitedUntil, this.next)) return 0;
    const at = Math.max(now, this.next);
    if (at - now > MAX_WAIT_MS) return null;
    this.next = at + SIDE_CALL_INTERVAL_MS;
    return at - now;
  }
}
