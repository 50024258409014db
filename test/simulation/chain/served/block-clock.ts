import type { ChainBlock } from '../chain-block.js';
import type { MemoryChain } from '../memory-chain.js';

export class BlockClock {
  minesAtOnce = true;
  /** Seconds that the chain is before real time. */
  offset = 0;
  exactly: number | null = null;
  private readonly kept: ChainBlock[] = [];

  constructor(
    readonly chain: MemoryChain,
    private readonly now: () => number,
  ) {}

  next(): number {
    return Math.max(this.chain.head.time + 1, Math.floor(this.now() / 1_000) + this.offset);
  }

  /** @param after seconds after the block before; without it, real time's */
  async mine(after?: number): Promise<void> {
    const { head } = this.chain;
    const time = this.exactly ?? (after === undefined ? this.next() : head.time + Math.max(1, after));
    this.exactly = null;
    await this.chain.mine({ time });
    this.offset += Math.max(0, time - this.next() + 1);
  }

  /** Other blocks in the places of the newest. @param transactions signed, each for one of them */
  async replace(
    depth: number,
    transactions: readonly { readonly raw: string; readonly at: number }[],
  ): Promise<void> {
    const left = this.chain.unwind(this.chain.head.number - depth, 'drop');
    for (const [at, { time }] of left.entries()) {
      const hashes: string[] = [];
      for (const each of transactions) if (each.at === at) hashes.push(this.chain.send(each.raw).hash);
      await this.chain.mine({ time, including: hashes });
    }
  }

  keep(): number {
    return this.kept.push(this.chain.head) - 1;
  }

  goBackTo(id: number): boolean {
    const block = this.kept[id];
    if (block === undefined) return false;
    this.chain.unwind(block.number, 'drop');
    for (const waiting of this.chain.pool.all()) this.chain.pool.remove(waiting);
    return true;
  }
}
