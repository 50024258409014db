/** Number of successes at the largest known good size before a size that was once rejected is tried again. */
const SUCCESSES_BEFORE_GROWTH = 200;

/** An adaptive request size: halved when a request was too large, then increased slowly. */
export class AdaptiveSize {
  private size: number;
  private bound: number;
  private atBound = 0;

  constructor(
    start: number,
    private readonly most: number,
  ) {
    this.size = start;
    this.bound = most;
  }

  get now(): number {
    return this.size;
  }

  shrink(refused: number): void {
    this.bound = Math.max(1, Math.min(this.bound, refused - 1));
    this.size = Math.max(1, Math.min(this.size, Math.floor(refused / 2)));
    this.atBound = 0;
  }

  /** The size was not the cause, so larger sizes may be tried again soon. */
  recordSingleItemTooLarge(): void {
    this.bound = this.most;
    this.atBound = 0;
  }

  /** Only a request of the full size tells whether a larger size may work. */
  succeeded(asked: number): void {
    if (asked < this.size) return;
    if (this.size < this.bound) {
      this.size = Math.min(this.bound, this.size + Math.max(1, this.size >> 3));
    } else if (this.bound < this.most && ++this.atBound >= SUCCESSES_BEFORE_GROWTH) {
      this.atBound = 0;
      this.bound = Math.min(this.most, this.bound * 2);
    }
  }
}
