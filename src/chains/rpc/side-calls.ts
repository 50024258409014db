/** One piece of side work in so many milliseconds leaves most of even a small limit to reading. */
const EVERY_MS = 1_000;
/** How long a limit that an endpoint has named counts. */
const LIMITED_FOR_MS = 60_000;
/** Whoever would have to wait longer tries again later. */
const WAITS_AT_MOST_MS = 5_000;

/**
 * Spaces out what is asked of one endpoint besides reading blocks, for as long as that limits calls: reading is not held up,
 * since a payment that nobody sees is worse than a fee that is late. Milliseconds of a clock that never goes back.
 */
export class SideCalls {
  private limitedUntil = -Infinity;
  private next = -Infinity;

  /** The endpoint refused a call, as one too many. @param retryAfterMs the pause it asked for */
  limited(now: number, retryAfterMs: number | null): void {
    this.limitedUntil = now + LIMITED_FOR_MS;
    this.next = Math.max(this.next, now + (retryAfterMs ?? 0));
  }

  /** Takes the next turn. @returns how long to wait for it; null where that is too long, and no turn was taken */
  wait(now: number): number | null {
    if (now >= Math.max(this.limitedUntil, this.next)) return 0;
    const at = Math.max(now, this.next);
    if (at - now > WAITS_AT_MOST_MS) return null;
    this.next = at + EVERY_MS;
    return at - now;
  }
}
