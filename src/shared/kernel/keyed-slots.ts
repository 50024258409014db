interface Slots {
  running: number;
  readonly waiting: (() => void)[];
}

/** Runs so much work with the same key at once, within this process; so much more waits, in its order. Keys are few, and are kept. */
export class KeyedSlots {
  private readonly slots = new Map<string, Slots>();

  constructor(
    private readonly atOnce: number,
    private readonly maxWaiting: number,
  ) {}

  /** @returns null at once where too much waits already */
  run<T>(key: string, work: () => Promise<T>): Promise<T> | null {
    const slots = this.slots.get(key) ?? { running: 0, waiting: [] };
    this.slots.set(key, slots);
    if (slots.running >= this.atOnce && slots.waiting.length >= this.maxWaiting) return null;
    return this.inTurn(slots, work);
  }

  private async inTurn<T>(slots: Slots, work: () => Promise<T>): Promise<T> {
    if (slots.running < this.atOnce) slots.running += 1;
    else await new Promise<void>((resolve) => slots.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot is handed on, so that nobody comes between.
      const next = slots.waiting.shift();
      if (next === undefined) slots.running -= 1;
      else next();
    }
  }
}
