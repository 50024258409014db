import type { BlockFact, NetworkFact, SettledFact, TransferFact } from '../../facts/fact.js';

/** A block at the place that it has or had on its chain. */
export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly time: number;
  readonly at: number;
  /** The view with which it came. */
  readonly from: number;
  to: number;
  readonly fact: BlockFact;
  firstFinal?: number;
}

export interface Moved {
  readonly block: Block;
  readonly transfer: TransferFact;
  readonly amount: bigint;
}

export interface Settled {
  readonly block: Block;
  readonly fact: SettledFact;
}

/**
 * A network's chain as everybody could see it: one view for each head that it ever had, in order. What the service has read is one
 * of the views; it goes from one to a later one, never back.
 */
export class Chain {
  readonly views: Block[] = [];
  /** Views with which blocks were left. */
  readonly unwindings: number[] = [];
  isDeep = false;
  /** Times of the final blocks that were left: from the earliest of each unwinding on. */
  private readonly reversals: number[] = [];
  private readonly branch = new Map<number, Block>();
  private readonly highestTime: number[] = [];
  private readonly highestFinalTime: number[] = [];
  private readonly to = new Map<string, Moved[]>();
  private readonly from = new Map<string, Moved[]>();
  private readonly settledBy = new Map<string, Settled[]>();
  readonly allSettled: Settled[] = [];
  private readonly inTransaction = new Map<string, Settled[]>();

  constructor(readonly network: NetworkFact) {}

  /** The latest view; -1 before the first block. */
  get head(): number {
    return this.views.length - 1;
  }

  take(fact: BlockFact): Block {
    const block: Block = {
      number: fact.number,
      hash: fact.hash,
      time: fact.time,
      at: fact.at,
      from: this.views.length,
      to: Infinity,
      fact,
    };
    this.branch.set(block.number, block);
    this.see(block);
    for (const transfer of fact.transfers) {
      const moved = { block, transfer, amount: BigInt(transfer.amount) };
      if (moved.amount === 0n) continue;
      push(this.to, transfer.to, moved);
      push(this.from, transfer.from, moved);
    }
    for (const settled of fact.settled) {
      const each = { block, fact: settled };
      push(this.settledBy, settled.forwarder, each);
      push(this.inTransaction, settled.transactionHash, each);
      this.allSettled.push(each);
    }
    return block;
  }

  unwind(from: number): void {
    const view = this.views.length;
    // The history may begin with a later block than the one from which the chain is left.
    for (const block of [...this.branch.values()].filter(({ number }) => number >= from)) {
      if (this.firstFinal(block) !== undefined) this.reverse(block);
      block.to = view;
      this.branch.delete(block.number);
    }
    this.unwindings.push(view);
    const ancestor = this.branch.get(from - 1);
    if (ancestor !== undefined) this.see(ancestor);
  }

  isOn(block: Block, view: number): boolean {
    return block.from <= view && view < block.to;
  }

  isFinal(block: Block, view: number): boolean {
    return this.isOn(block, view) && this.later(block, view) >= this.network.confirmations;
  }

  later(block: Block, view: number): number {
    return this.views[view]!.number - block.number;
  }

  /** The first view in which a block is final. */
  firstFinal(block: Block): number | undefined {
    if (block.firstFinal !== undefined) return block.firstFinal;
    const end = Math.min(block.to, this.views.length);
    for (let view = block.from; view < end; view += 1) {
      if (this.later(block, view) >= this.network.confirmations) return (block.firstFinal = view);
    }
    return undefined;
  }

  finalTime(view: number): number {
    const number = this.views[view]!.number - this.network.confirmations;
    const block = this.branch.get(number);
    if (block !== undefined && this.isOn(block, view)) return block.time;
    return this.highestFinalTime[view] ?? -Infinity;
  }

  /** The first view whose head, or whose final block, is later than a moment; the number of views where there is none. */
  firstLater(time: number, kind: 'head' | 'final'): number {
    const times = kind === 'head' ? this.highestTime : this.highestFinalTime;
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  movedTo(address: string): readonly Moved[] {
    return this.to.get(address) ?? NOTHING;
  }

  movedFrom(address: string): readonly Moved[] {
    return this.from.get(address) ?? NOTHING;
  }

  settledOf(forwarder: string): readonly Settled[] {
    return this.settledBy.get(forwarder) ?? NOTHING;
  }

  isReversed(block: Block): boolean {
    return block.to < Infinity && this.firstFinal(block) !== undefined;
  }

  isDeepAround(time: number): boolean {
    return this.reversals.some((each) => Math.abs(each - time) < 900_000);
  }

  private reverse(block: Block): void {
    this.isDeep = true;
    this.reversals.push(block.time);
  }

  settledIn(transactionHash: string): readonly Settled[] {
    return this.inTransaction.get(transactionHash.toLowerCase()) ?? NOTHING;
  }

  private see(block: Block): void {
    const view = this.views.length;
    this.views.push(block);
    const final = this.branch.get(block.number - this.network.confirmations);
    this.highestTime.push(Math.max(this.highestTime[view - 1] ?? -Infinity, block.time));
    this.highestFinalTime.push(
      Math.max(this.highestFinalTime[view - 1] ?? -Infinity, final?.time ?? -Infinity),
    );
  }
}

const NOTHING: readonly never[] = [];

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
