const DEADLINE_MS = 2_000;

/**
 * Holds back the deadline timers of attempts, so that an attempt to a hanging receiver times out only when the test
 * lets it, even on a slow machine. Other timers are not affected.
 */
export class HeldDeadline {
  private readonly real = globalThis.setTimeout;
  private readonly held = new Set<() => void>();

  constructor() {
    const hold = (callback: () => void) => {
      this.held.add(callback);
      return this.real(() => undefined, 0);
    };
    globalThis.setTimeout = ((callback: () => void, ms: number, ...rest: []) =>
      ms === DEADLINE_MS ? hold(callback) : this.real(callback, ms, ...rest)) as typeof setTimeout;
  }

  /** Fires all deadline timers held back, and restores normal timers. */
  fireDeadlines(): void {
    globalThis.setTimeout = this.real;
    for (const callback of this.held) callback();
    this.held.clear();
  }
}
