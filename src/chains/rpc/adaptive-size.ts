/** Successes at the bound before more than was once refused is tried again. */
const PATIENCE = 200;

/** How much to ask for at once: halved where it was too much, and grown again slowly. */
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

  /** So much at once was too much. */
  narrow(refused: number): void {
    this.bound = Math.max(1, Math.min(this.bound, refused - 1));
    this.size = Math.max(1, Math.min(this.size, Math.floor(refused / 2)));
    this.atBound = 0;
  }

  /** One alone was too much, so it was not the number: more is soon tried again. */
  oneWasTooMuch(): void {
    this.bound = this.most;
    this.atBound = 0;
  }

  /** So much at once was answered; only a full measure says anything about more. */
  succeeded(asked: number): void {
    if (asked < this.size) return;
    if (this.size < this.bound) {
      this.size = Math.min(this.bound, this.size + Math.max(1, this.size >> 3));
    } else if (this.bound < this.most && ++this.atBound >= PATIENCE) {
      this.atBound = 0;
      this.bound = Math.min(this.most, this.bound * 2);
    }
  }
}
