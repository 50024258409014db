const DEADLINE_MS = 2_000;

/**
 * Attempts that hang do so until they are let go, and none is late, however slow the machine is: the timers
 * of their deadline are kept back, all others of this test file go on.
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

  /** The deadline of every attempt that still hangs passes now, and later ones are as ever. */
  letGo(): void {
    globalThis.setTimeout = this.real;
    for (const callback of this.held) callback();
    this.held.clear();
  }
}
