/** Bits 0 to 7: the endpoints, of which a network has at most eight, by their positions, whose last lists have it. */
const HOLDERS = 0xff;
/** Bits 8 to 15: the endpoints among them that did not show it. */
const REFUSALS_AT = 8;
const EXAMINED = 1 << 16;

/** Due is what an endpoint holds that was not examined yet, unless all that hold it have failed to show it. */
function isDue(flags: number): boolean {
  return (flags & EXAMINED) === 0 && unrefused(flags) !== 0;
}

/** The endpoints that hold it and have not failed to show it. */
function unrefused(flags: number): number {
  return flags & HOLDERS & ~(flags >> REFUSALS_AT);
}

function bitsOf(positions: readonly number[]): number {
  return positions.reduce((bits, position) => bits | (1 << position), 0);
}

/**
 * The transactions that the endpoints of one network hold, by their last lists. Of each there are an id and a number,
 * however many endpoints hold it: a full mempool has a hundred thousand.
 */
export class HeldTransactions {
  private flags = new Map<string, number>();
  /** Due; those that came last are at the end. */
  private due: string[] = [];
  /** Positions of the endpoints whose lists count. */
  private listing: readonly number[] = [];

  /** True while some are left to examine. */
  get hasMore(): boolean {
    return this.due.length > 0;
  }

  /**
   * Takes lists in place of those before. What left all lists and comes back later is new.
   * @param lists by the positions of the endpoints @param silent endpoints whose last lists count on
   */
  listed(lists: ReadonlyMap<number, readonly string[]>, silent: readonly number[]): void {
    const next = new Map<string, number>();
    for (const [position, ids] of lists)
      for (const id of ids) next.set(id, (next.get(id) ?? 0) | (1 << position));
    const silentBits = bitsOf(silent);
    for (const [id, flags] of this.flags) {
      const holders = (next.get(id) ?? 0) | (flags & silentBits);
      if (holders === 0) continue;
      const refusals = (flags >> REFUSALS_AT) & holders;
      next.set(id, holders | (refusals << REFUSALS_AT) | (flags & EXAMINED));
    }
    const fresh: string[] = [];
    for (const [id, flags] of next) if (isDue(flags) && !isDue(this.flags.get(id) ?? 0)) fresh.push(id);
    this.due = [...this.due.filter((id) => isDue(next.get(id) ?? 0)), ...fresh];
    this.flags = next;
    this.listing = [...lists.keys(), ...silent];
  }

  /**
   * @param counted the endpoints whose lists count, by their positions
   * @returns whether one of them holds a transaction at this moment, also when asked later
   */
  presence(counted: readonly number[]): (id: string) => boolean {
    const { flags } = this;
    const bits = bitsOf(counted);
    return (id) => ((flags.get(id) ?? 0) & bits) !== 0;
  }

  /** True where the endpoint holds it, and has not failed to show it. */
  isShownBy(id: string, position: number): boolean {
    return (unrefused(this.flags.get(id) ?? 0) & (1 << position)) !== 0;
  }

  /** True while some that the endpoint holds are left to examine. */
  hasMoreOf(position: number): boolean {
    return this.due.some((id) => this.isShownBy(id, position));
  }

  /** How many transactions of its last list the endpoint did not show. */
  unshownBy(position: number): number {
    const both = (1 << position) | (1 << (position + REFUSALS_AT));
    let count = 0;
    for (const flags of this.flags.values()) if ((flags & both) === both) count += 1;
    return count;
  }

  /**
   * Takes out up to so many that are due, the newest first; `settle` puts back those that stay so. Each endpoint has an equal
   * share, and the others get the part that it does not use: one that lists much does not delay what another one holds.
   */
  take(limit: number): string[] {
    const share = Math.ceil(limit / Math.max(1, this.listing.length));
    const room = new Map(this.listing.map((position) => [position, share]));
    const fits = (id: string) => {
      const position = this.listing.find((each) => room.get(each)! > 0 && this.isShownBy(id, each));
      if (position === undefined) return false;
      room.set(position, room.get(position)! - 1);
      return true;
    };
    const newest = this.due.toReversed();
    const taken = new Set<string>();
    for (const mayTake of [fits, () => true])
      for (const id of newest) if (taken.size < limit && mayTake(id)) taken.add(id);
    this.due = this.due.filter((id) => !taken.has(id));
    return [...taken];
  }

  /** @param refused by the position of the endpoint that did not show it */
  settle(
    taken: readonly string[],
    examined: Iterable<string>,
    refused: Iterable<readonly [id: string, position: number]>,
  ): void {
    for (const id of examined) this.mark(id, EXAMINED);
    for (const [id, position] of refused) this.mark(id, 1 << (position + REFUSALS_AT));
    // Behind all others: an endpoint that holds much and shows none of it does not keep the rest from being examined.
    this.due.unshift(...taken.filter((id) => isDue(this.flags.get(id) ?? 0)));
  }

  private mark(id: string, bit: number): void {
    const flags = this.flags.get(id);
    if (flags !== undefined) this.flags.set(id, flags | bit);
  }
}
