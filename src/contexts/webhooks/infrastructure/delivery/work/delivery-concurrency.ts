import type { LaneLimits } from '#shared/platform/due-work/due-work.js';

/** Initial limit of a lane, and the limit after a failure. Enough to detect recovery, too small to fill the process. */
const MIN_LIMIT = 2;
const MAX_LIMIT = 16;
/** Items that a lane at its maximum may hold per running item, so that claims are large. */
const AHEAD_PER_RUNNING = 4;
/** Number of idle lanes whose limit is remembered. A forgotten lane starts at the minimum again. */
const MAX_REMEMBERED = 1_000;

interface Lane<Item> {
  readonly waiting: Item[];
  running: number;
}

export interface DeliveryConcurrencyOptions<Item> {
  /** Maximum number of items in all lanes together. */
  readonly capacity: number;
  /** @returns true for a success of the lane; must not throw */
  readonly run: (item: Item) => Promise<boolean>;
  /** Called before an item starts. True if the item must no longer be started. */
  readonly isStale: (item: Item) => boolean;
  /** Called when there is enough room for another claim. */
  readonly onRoom: () => void;
}

/**
 * Runs items in concurrent lanes. Each lane has its own limit, so that a hanging lane delays only itself. The limit starts at
 * 2, doubles with each success up to 16, and is reset by a failure. Lanes at the minimum share half of the capacity, so that
 * the other lanes continue however many of them hang. While less than half of the capacity is in use, a lane at the maximum
 * also holds items in advance.
 */
export class DeliveryConcurrency<Item> {
  private readonly lanes = new Map<string, Lane<Item>>();
  /** Limits of lanes above the minimum, ordered by the time of their last finished item. */
  private readonly limits = new Map<string, number>();
  private idle: (() => void)[] = [];
  /** Number of items that wait or run. */
  held = 0;

  constructor(private readonly options: DeliveryConcurrencyOptions<Item>) {}

  add(lane: string, item: Item): void {
    const state = this.lanes.get(lane) ?? { waiting: [], running: 0 };
    this.lanes.set(lane, state);
    state.waiting.push(item);
    this.held += 1;
    this.startRunnable(lane, state);
  }

  /** How many items may be added now, in total and per lane. */
  room(): { total: number; lanes: LaneLimits } {
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

  /** The room of a lane above the minimum. Items held in advance are refilled when half of them are used, not one by one. */
  private roomOf(limit: number, held: number): number {
    if (limit < MAX_LIMIT || this.crowded) return limit - held;
    return held > (MAX_LIMIT * AHEAD_PER_RUNNING) / 2 ? 0 : MAX_LIMIT * AHEAD_PER_RUNNING - held;
  }

  /** True if due deliveries may be waiting for room. */
  isFull(): boolean {
    const { total, lanes } = this.room();
    return total === 0 || lanes.ofOthers === 0 || [...lanes.of.values()].includes(0);
  }

  /** Resolves when no item waits or runs. */
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
