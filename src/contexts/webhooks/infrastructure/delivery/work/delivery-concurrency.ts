import type { LaneLimits } from '#shared/platform/due-work/scheduled-jobs.js';

/** Small, so that hanging lanes do not fill the process. */
const MIN_LANE_LIMIT = 2;
const MAX_LANE_LIMIT = 16;
const MAX_HELD_PER_RUNNING_ITEM = 4;
/** Any other idle lane starts again at the minimum. */
const MAX_REMEMBERED_LANES = 1_000;

interface Lane<Item> {
  readonly waiting: Item[];
  running: number;
}

export interface DeliveryConcurrencyOptions<Item> {
  readonly capacity: number;
  /** Must not throw. @returns true for a success, which raises the limit of the lane */
  readonly run: (item: Item) => Promise<boolean>;
  readonly isStale: (item: Item) => boolean;
  readonly onRoom: () => void;
}

/**
 * Each lane has its own limit: 2, doubled with each success up to 16, and reset by a failure. Lanes at the minimum
 * share half of the capacity, so that others continue even if many lanes hang.
 */
export class DeliveryConcurrency<Item> {
  private readonly lanes = new Map<string, Lane<Item>>();
  /** The lane that finished last is the last entry. */
  private readonly limits = new Map<string, number>();
  private idle: (() => void)[] = [];
  held = 0;

  constructor(private readonly options: DeliveryConcurrencyOptions<Item>) {}

  add(lane: string, item: Item): void {
    const state = this.lanes.get(lane) ?? { waiting: [], running: 0 };
    this.lanes.set(lane, state);
    state.waiting.push(item);
    this.held += 1;
    this.startRunnable(lane, state);
  }

  /** Capacity in total and per lane. */
  room(): { total: number; lanes: LaneLimits } {
    const small = [...this.lanes].filter(([lane]) => !this.limits.has(lane));
    const heldBySmall = small.reduce((sum, [, state]) => sum + countHeldItems(state), 0);
    const leftForSmall = Math.max(0, Math.floor(this.options.capacity / 2) - heldBySmall);
    const rooms = new Map<string, number>();
    for (const [lane, state] of small)
      rooms.set(lane, leftForSmall === 0 ? 0 : MIN_LANE_LIMIT - countHeldItems(state));
    for (const [lane, limit] of this.limits)
      rooms.set(lane, this.roomOfLane(limit, countHeldItems(this.lanes.get(lane))));
    for (const [lane, room] of rooms) rooms.set(lane, Math.max(0, room));
    const left = Math.max(0, this.options.capacity - this.held);
    return {
      total: leftForSmall === 0 ? left : Math.min(left, leftForSmall),
      lanes: { of: rooms, ofOthers: leftForSmall === 0 ? 0 : MIN_LANE_LIMIT },
    };
  }

  private get isCrowded(): boolean {
    return this.held >= this.options.capacity / 2;
  }

  /** Refills when half of the items held in advance have started. */
  private roomOfLane(limit: number, held: number): number {
    if (limit < MAX_LANE_LIMIT || this.isCrowded) return limit - held;
    return held > (MAX_LANE_LIMIT * MAX_HELD_PER_RUNNING_ITEM) / 2
      ? 0
      : MAX_LANE_LIMIT * MAX_HELD_PER_RUNNING_ITEM - held;
  }

  isFull(): boolean {
    const { total, lanes } = this.room();
    return total === 0 || lanes.ofOthers === 0 || [...lanes.of.values()].includes(0);
  }

  whenDrained(): Promise<void> {
    return this.held === 0 ? Promise.resolve() : new Promise((resolve) => this.idle.push(resolve));
  }

  private startRunnable(lane: string, state: Lane<Item>): void {
    while (state.waiting.length > 0 && state.running < (this.limits.get(lane) ?? MIN_LANE_LIMIT)) {
      const item = state.waiting.shift()!;
      if (this.options.isStale(item)) {
        this.held -= 1;
        continue;
      }
      state.running += 1;
      void this.options.run(item).then((well) => this.finishItem(lane, state, well));
    }
    if (state.waiting.length === 0 && state.running === 0) this.lanes.delete(lane);
    if (this.held > 0) return;
    for (const resolve of this.idle) resolve();
    this.idle = [];
  }

  private finishItem(lane: string, state: Lane<Item>, well: boolean): void {
    state.running -= 1;
    this.held -= 1;
    const limit = this.limits.get(lane) ?? MIN_LANE_LIMIT;
    this.limits.delete(lane);
    if (well) this.rememberLimit(lane, Math.min(MAX_LANE_LIMIT, limit * 2));
    this.startRunnable(lane, state);
    const grown = this.limits.get(lane);
    if (grown === undefined || this.isCrowded || this.roomOfLane(grown, countHeldItems(state)) > 0)
      this.options.onRoom();
  }

  private rememberLimit(lane: string, limit: number): void {
    this.limits.set(lane, limit);
    const [longestUnused] = this.limits.keys();
    if (this.limits.size > MAX_REMEMBERED_LANES) this.limits.delete(longestUnused!);
  }
}

function countHeldItems(lane: Lane<unknown> | undefined): number {
  return lane === undefined ? 0 : lane.waiting.length + lane.running;
}
