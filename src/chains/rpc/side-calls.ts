/** One side call at this interval leaves most of even a small limit to reading. */
const EVERY_MS = 1_000;
/** How long a reported limit is assumed to last. */
const LIMITED_FOR_MS = 60_000;
/** A caller that would wait longer must retry later. */
const WAITS_AT_MOST_MS = 5_000;

/**
 * Spaces out all calls to one endpoint other than block reading, while the endpoint limits calls. Reading has priority, because an
 * undetected payment is worse than a late fee. Monotonic milliseconds.
 */
export class SideCalls {
  private limitedUntil = -Infinity;
  private next = -Infinity;

  /** Records that the endpoint rejected a call because of its limit. @param retryAfterMs the requested pause */
  limited(now: number, retryAfterMs: number | null): void {
    this.limitedUntil = now + LIMITED_FOR_MS;
    this.next = Math.max(this.next, now + (retryAfterMs ?? 0));
  }

  /** Reserves the next slot. @returns the wait in milliseconds; null if it is too long, in which case no slot is reserved */
  wait(now: number): number | null {
    if (now >= Math.max(this.limitedUntil, this.next)) return 0;
    const at = Math.max(now, this.next);
    if (at - now > WAITS_AT_MOST_MS) return null;
    this.next = at + EVERY_MS;
    return at - now;
  }
}
