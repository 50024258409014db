/** Bits 0 to 7: endpoints whose last list contains the transaction, by position. A network has at most eight endpoints. */
const HOLDER_BITS = 0xff;
/** Bits 8 to 15: endpoints that list the transaction but did not return it, by position. */
const REFUSAL_BITS_SHIFT = 8;
const EXAMINED_BIT = 1 << 16;

function isExaminationDue(flags: number): boolean {
  return (flags & EXAMINED_BIT) === 0 && holdersWithoutRefusal(flags) !== 0;
}

function holdersWithoutRefusal(flags: number): number {
  return flags & HOLDER_BITS & ~(flags >> REFUSAL_BITS_SHIFT);
}

function bitsOfPositions(positions: readonly number[]): number {
  return positions.reduce((bits, position) => bits | (1 << position), 0);
}

/** One id and one number per transaction, because a full mempool has a hundred thousand transactions. */
export class MempoolIndex {
  private flags = new Map<string, number>();
  private due: string[] = [];
  private listing: readonly number[] = [];

  get hasMore(): boolean {
    return this.due.length > 0;
  }

  /** A transaction that leaves all lists and returns later counts as new. */
  updateLists(lists: ReadonlyMap<number, readonly string[]>, silent: readonly number[]): void {
    const next = new Map<string, number>();
    for (const [position, ids] of lists)
      for (const id of ids) next.set(id, (next.get(id) ?? 0) | (1 << position));
    const silentBits = bitsOfPositions(silent);
    for (const [id, flags] of this.flags) {
      const holders = (next.get(id) ?? 0) | (flags & silentBits);
      if (holders === 0) continue;
      const refusals = (flags >> REFUSAL_BITS_SHIFT) & holders;
      next.set(id, holders | (refusals << REFUSAL_BITS_SHIFT) | (flags & EXAMINED_BIT));
    }
    const fresh: string[] = [];
    for (const [id, flags] of next)
      if (isExaminationDue(flags) && !isExaminationDue(this.flags.get(id) ?? 0)) fresh.push(id);
    this.due = [...this.due.filter((id) => isExaminationDue(next.get(id) ?? 0)), ...fresh];
    this.flags = next;
    this.listing = [...lists.keys(), ...silent];
  }

  presence(counted: readonly number[]): (id: string) => boolean {
    const { flags } = this;
    const bits = bitsOfPositions(counted);
    return (id) => ((flags.get(id) ?? 0) & bits) !== 0;
  }

  isListedBy(id: string, position: number): boolean {
    return (holdersWithoutRefusal(this.flags.get(id) ?? 0) & (1 << position)) !== 0;
  }

  hasUnexaminedFrom(position: number): boolean {
    return this.due.some((id) => this.isListedBy(id, position));
  }

  countWithheldBy(position: number): number {
    const both = (1 << position) | (1 << (position + REFUSAL_BITS_SHIFT));
    let count = 0;
    for (const flags of this.flags.values()) if ((flags & both) === both) count += 1;
    return count;
  }

  /**
   * Call `settle` with the result afterwards. Endpoints have equal shares, so that a long list does not delay the
   * transactions of another endpoint.
   */
  takeUnexamined(limit: number): string[] {
    const share = Math.ceil(limit / Math.max(1, this.listing.length));
    const room = new Map(this.listing.map((position) => [position, share]));
    const fits = (id: string) => {
      const position = this.listing.find((each) => room.get(each)! > 0 && this.isListedBy(id, each));
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

  recordExamined(
    taken: readonly string[],
    examined: Iterable<string>,
    refused: Iterable<readonly [id: string, position: number]>,
  ): void {
    for (const id of examined) this.mark(id, EXAMINED_BIT);
    for (const [id, position] of refused) this.mark(id, 1 << (position + REFUSAL_BITS_SHIFT));
    // To the end of the queue: an endpoint that lists many transactions and returns none must not block the others.
    this.due.unshift(...taken.filter((id) => isExaminationDue(this.flags.get(id) ?? 0)));
  }

  private mark(id: string, bit: number): void {
    const flags = this.flags.get(id);
    if (flags !== undefined) this.flags.set(id, flags | bit);
  }
}
