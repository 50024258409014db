/** Bits 0 to 7: the endpoints, of which a network has at most eight, by their positions, whose last lists have it. */
const HOLDERS = 0xff;
/** Bits 8 to 15: the endpoints among them that did not show it. */
const REFUSALS_AT = 8;
const EXAMINED = 1 << 16;

/** Due is what an endpoint holds that was not examined yet, unless all that hold it have failed to show it. */
function isDue(flags: number): boolean {
  return (flags & EXAMINED) === 0 && (flags & HOLDERS & ~(flags >> REFUSALS_AT)) !== 0;
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
    const flags = this.flags.get(id) ?? 0;
    return (flags & ~(flags >> REFUSALS_AT) & (1 << position)) !== 0;
  }

  /** Takes out up to so many that are due, the newest first; `settle` puts back those that stay so. */
  take(limit: number): string[] {
    return limit <= 0 ? [] : this.due.splice(-limit).reverse();
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
