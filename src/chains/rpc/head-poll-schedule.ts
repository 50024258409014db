/** A new head is expected slightly early, so that reading stays close behind the blocks. */
const SHARE_OF_BLOCK_TIME = 0.95;
/** Part of the block time after which a head that was still the same is requested again. */
const RETRY_SHARE = 0.25;

/** Decides when the next head can be new. Times are monotonic milliseconds. */
export class HeadPollSchedule {
  private dueAt = -Infinity;
  private newest = -1;
  private grewAt = -Infinity;

  /** @param blockMs the configured time between blocks; if blocks come faster, their own pace counts */
  constructor(readonly blockMs: number) {}

  isDue(now: number): boolean {
    return now >= this.dueAt;
  }

  recordHead(now: number, head: number): void {
    const grown = head - this.newest;
    if (grown <= 0) {
      this.dueAt = now + RETRY_SHARE * this.blockMs;
      return;
    }
    const observedMs = (now - this.grewAt) / grown;
    this.dueAt = now + SHARE_OF_BLOCK_TIME * Math.min(this.blockMs, observedMs);
    [this.newest, this.grewAt] = [head, now];
  }
}
