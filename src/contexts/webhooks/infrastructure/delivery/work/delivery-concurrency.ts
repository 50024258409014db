import type { LaneRooms } from '#shared/platform/due-work/due-work.js';

/** Where a lane begins and falls back to: enough to see that it works, too little to fill the process. */
const MIN_LIMIT = 2;
const MAX_LIMIT = 16;
/** Items that a lane at its limit may hold for each one that runs, so that claims are large. */
const AHEAD_PER_RUNNING = 4;
/** Lanes whose limit is remembered while nothing runs in them; one that is forgotten grows anew. */
const MAX_REMEMBERED = 1_000;

interface Lane<Item> {
  readonly waiting: Item[];
  running: number;
}

export interface DeliveryConcurrencyOptions<Item> {
  /** Most items that all lanes hold together. */
  readonly capacity: number;
  /** @returns whether the lane works well; must not throw */
  readonly run: (item: Item) => Promise<boolean>;
  /** Asked when an item's turn comes: whether it may no longer be started. */
  readonly isStale: (item: Item) => boolean;
  /** Called whenever there is room for more that is worth a claim. */
  readonly onRoom: () => void;
}

/**
 * Runs items in lanes side by side, each lane with a limit of its own, so that one that hangs holds up only itself. The
 * limit begins at 2, doubles with each success up to 16, and falls back with a failure. Lanes that have not grown share
 * half of the capacity: however many of them hang, the others go on. While less than half of the capacity is in use, a
 * lane that has grown to 16 also holds items ahead.
 */
export class DeliveryConcurrency<Item> {
  private readonly lanes = new Map<string, Lane<Item>>();
  /** The limits of lanes that have grown; the lane that ended an item last is the last entry. */
  private readonly limits = new Map<string, number>();
  private idle: (() => void)[] = [];
  /** Items waiting or running. */
  held = 0;

  constructor(private readonly options: DeliveryConcurrencyOptions<Item>) {}

  add(lane: string, item: Item): void {
    const state = this.lanes.get(lane) ?? { waiting: [], running: 0 };
    this.lanes.set(lane, state);
    state.waiting.push(item);
    this.held += 1;
    this.startRunnable(lane, state);
  }

  /** How many more items may be added at once, whatever their lanes, and how many of each lane. */
  room(): { total: number; lanes: LaneRooms } {
    const small = [...this.lanes].filter(([lane]) => !this.limits.has(lane));
    const heldBySmall = small.reduce((sum, [, state]) => sum + heldIn(state), 0);
    const leftForSmall = Math.max(0, Math.floor(this.options.capacity / 2) - heldBySmall);
    const rooms = new Map<string, number>();
    for (const [lane, state] of small) rooms.set(lane, leftForSmall === 0 ? 0 : MIN_LIMIT - heldIn(state));
    for (const [lane, limit] of this.limits)
      rooms.set(lane, this.roomOf(limit, heldIn(this.lanes.get(lane))));
    for (const [lane, room] of rooms) rooms.set(lane, Math.max(0, room));
    const left = Math.max(0, this.options.capacity - this.held);
    return {
      total: leftForSmall === 0 ? left : Math.min(left, leftForSmall),
      lanes: { of: rooms, ofOthers: leftForSmall === 0 ? 0 : MIN_LIMIT },
    };
  }

  private get crowded(): boolean {
    return this.held >= this.options.capacity / 2;
  }

  /** The room of a lane that has grown. Its items ahead are filled up once half of them are gone, not one by one. */
  private roomOf(limit: number, held: number): number {
    if (limit < MAX_LIMIT || this.crowded) return limit - held;
    return held > (MAX_LIMIT * AHEAD_PER_RUNNING) / 2 ? 0 : MAX_LIMIT * AHEAD_PER_RUNNING - held;
  }

  /** True where something due may be waiting for room. */
  isFull(): boolean {
    const { total, lanes } = this.room();
    return total === 0 || lanes.ofOthers === 0 || [...lanes.of.values()].includes(0);
  }

  /** Resolves once nothing waits or runs. */
  drained(): Promise<void> {
    return this.held === 0 ? Promise.resolve() : new Promise((resolve) => this.idle.push(resolve));
  }

  private startRunnable(lane: string, state: Lane<Item>): void {
    while (state.waiting.length > 0 && state.running < (this.limits.get(lane) ?? MIN_LIMIT)) {
      const item = state.waiting.shift()!;
      if (this.options.isStale(item)) {
        this.held -= 1;
        continue;
      }
      state.running += 1;
      void this.options.run(item).then((well) => this.finish(lane, state, well));
    }
    if (state.waiting.length === 0 && state.running === 0) this.lanes.delete(lane);
    if (this.held > 0) return;
    for (const resolve of this.idle) resolve();
    this.idle = [];
  }

  private finish(lane: string, state: Lane<Item>, well: boolean): void {
    state.running -= 1;
    this.held -= 1;
    const limit = this.limits.get(lane) ?? MIN_LIMIT;
    this.limits.delete(lane);
    if (well) this.remember(lane, Math.min(MAX_LIMIT, limit * 2));
    this.startRunnable(lane, state);
    const grown = this.limits.get(lane);
    if (grown === undefined || this.crowded || this.roomOf(grown, heldIn(state)) > 0) this.options.onRoom();
  }

  private remember(lane: string, limit: number): void {
    this.limits.set(lane, limit);
    const [longestUnused] = this.limits.keys();
    if (this.limits.size > MAX_REMEMBERED) this.limits.delete(longestUnused!);
  }
}

function heldIn(lane: Lane<unknown> | undefined): number {
  return lane === undefined ? 0 : lane.waiting.length + lane.running;
}
