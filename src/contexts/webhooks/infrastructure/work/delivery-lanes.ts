const AT_A_TIME = 16;
/** To a webhook that did not acknowledge lately: enough to notice that it is back, too few to fill the process. */
const WHILE_FAILING = 2;
/** Failing webhooks remembered; forgetting them costs one burst each. */
const MOST_REMEMBERED = 10_000;

interface Lane<Item> {
  readonly waiting: Item[];
  running: number;
}

/**
 * Runs items in lanes side by side, each lane with a limit of its own, so that one that hangs holds up only itself.
 * Whether an item may still be started is asked when its turn comes.
 */
export class DeliveryLanes<Item> {
  private readonly lanes = new Map<string, Lane<Item>>();
  private readonly failing = new Set<string>();
  private idle: (() => void)[] = [];
  /** Items waiting or running. */
  held = 0;

  constructor(
    /** @returns whether the lane works well; must not throw */
    private readonly run: (item: Item) => Promise<boolean>,
    private readonly isStale: (item: Item) => boolean,
    /** Called whenever there is room for more. */
    private readonly onRoom: () => void,
  ) {}

  add(lane: string, item: Item): void {
    const state = this.lanes.get(lane) ?? { waiting: [], running: 0 };
    this.lanes.set(lane, state);
    state.waiting.push(item);
    this.held += 1;
    this.startWhatMay(lane, state);
  }

  /** Lanes that already hold all they may run at a time. */
  busy(): string[] {
    return [...this.lanes]
      .filter(([lane, { waiting, running }]) => waiting.length + running >= this.limit(lane))
      .map(([lane]) => lane);
  }

  /** Resolves once nothing waits or runs. */
  drained(): Promise<void> {
    return this.held === 0 ? Promise.resolve() : new Promise((resolve) => this.idle.push(resolve));
  }

  private limit(lane: string): number {
    return this.failing.has(lane) ? WHILE_FAILING : AT_A_TIME;
  }

  private startWhatMay(lane: string, state: Lane<Item>): void {
    while (state.waiting.length > 0 && state.running < this.limit(lane)) {
      const item = state.waiting.shift()!;
      if (this.isStale(item)) {
        this.held -= 1;
        continue;
      }
      state.running += 1;
      void this.run(item).then((well) => this.finish(lane, state, well));
    }
    if (state.waiting.length === 0 && state.running === 0) this.lanes.delete(lane);
    if (this.held > 0) return;
    for (const resolve of this.idle) resolve();
    this.idle = [];
  }

  private finish(lane: string, state: Lane<Item>, well: boolean): void {
    state.running -= 1;
    this.held -= 1;
    if (well) this.failing.delete(lane);
    else if (this.failing.size < MOST_REMEMBERED) this.failing.add(lane);
    this.startWhatMay(lane, state);
    this.onRoom();
  }
}
