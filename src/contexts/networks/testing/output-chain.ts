import { createHash } from 'node:crypto';
import { type BlockHeader, type ChainTransfer, NO_SENDER_LABEL } from '../contract/chain-reader.js';

export interface OutputTransaction {
  readonly id: string;
  /**
   * Outputs that the transaction spends, each of which only one transaction in the chain can spend. Empty for a
   * coinbase.
   */
  readonly spends: readonly string[];
  readonly outputs: readonly { readonly to: string; readonly amount: bigint }[];
  readonly sentAt: number;
  readonly isCheap?: boolean;
}

export interface OutputBlock {
  readonly header: BlockHeader;
  /** The miner's timestamp; `header.time` is the median time past. */
  readonly stamp: Date;
  readonly transactions: readonly OutputTransaction[];
}

/** Number of timestamps whose median is a block's time: its own and those of the ten blocks before it. */
const STAMPS = 11;
const COINBASE_MATURITY = 100;

/** An in-memory chain of transaction outputs with a mempool. A block may have an earlier timestamp than its parent. */
export class OutputChain {
  readonly blocks: OutputBlock[] = [];
  readonly pool = new Map<string, OutputTransaction>();
  private made = 0;

  /** @param now time in milliseconds at which transactions are sent and blocks are stamped; moved by tests */
  constructor(
    readonly coin: string,
    public now: number,
  ) {
    this.mine();
  }

  get head(): BlockHeader {
    return this.blocks.at(-1)!.header;
  }

  /**
   * Sends a transaction and replaces pending ones that spend the same outputs.
   * @param spends default: outputs that no other transaction spends
   */
  send(
    outputs: OutputTransaction['outputs'],
    spends: readonly string[] = [`${this.name('coin')}:0`],
    isCheap = false,
  ): OutputTransaction {
    const transaction = { id: this.name('transaction'), spends, outputs, sentAt: this.now, isCheap };
    this.hold(transaction);
    return transaction;
  }

  /** Puts a transaction back into the mempool, as a node that had dropped or replaced it might. */
  hold(transaction: OutputTransaction): void {
    this.refuseSpent(transaction);
    this.dropConflicts(transaction);
    this.pool.set(transaction.id, transaction);
  }

  evict({ id }: Pick<OutputTransaction, 'id'>): void {
    this.pool.delete(id);
  }

  /**
   * Adds a block with these transactions. Default: all pending transactions.
   * @param stamp timestamp in milliseconds, above the median of the preceding blocks
   */
  mine(transactions = [...this.pool.values()], stamp = this.now): OutputBlock {
    const number = this.blocks.length;
    const parent = this.blocks.at(-1);
    if (parent !== undefined && stamp <= parent.header.time.getTime())
      throw new Error('A block is stamped above the median time past of its parent.');
    transactions.forEach((each) => this.refuseSpent(each));
    const stamps = [...this.blocks.slice(1 - STAMPS).map((block) => block.stamp.getTime()), stamp];
    const median = stamps.toSorted((a, b) => a - b)[stamps.length >> 1]!;
    const parentHash = parent?.header.hash ?? '0'.repeat(64);
    const header = { number, hash: this.name('block'), parentHash, time: new Date(median) };
    const block = { header, stamp: new Date(stamp), transactions };
    this.blocks.push(block);
    for (const transaction of transactions) {
      this.pool.delete(transaction.id);
      this.dropConflicts(transaction);
    }
    return block;
  }

  /**
   * Removes the newest blocks; their transactions are pending again.
   * @returns the removed blocks
   */
  reorganize(depth: number): OutputBlock[] {
    const gone = this.blocks.splice(-depth);
    for (const { transactions } of gone) transactions.forEach((each) => this.pool.set(each.id, each));
    return gone;
  }

  withHash(hash: string): OutputBlock | undefined {
    return this.blocks.find(({ header }) => header.hash === hash);
  }

  transfersIn(block: OutputBlock): ChainTransfer[] {
    return block.transactions.flatMap((each) => this.transfersOf(each, block));
  }

  spendersOf(spends: readonly string[]): OutputTransaction[] {
    const all = [...this.pool.values(), ...this.blocks.flatMap(({ transactions }) => transactions)];
    return all.filter((each) => each.spends.some((spent) => spends.includes(spent)));
  }

  transfersOf({ id, spends, outputs }: OutputTransaction, block?: OutputBlock) {
    return outputs.map(({ to, amount }, index) => ({
      kind: 'output' as const satisfies ChainTransfer['kind'],
      transactionHash: id,
      index,
      token: this.coin,
      from: NO_SENDER_LABEL,
      to,
      amount,
      evidence: { spends },
      ...(spends.length === 0 && { spendableAfter: COINBASE_MATURITY }),
      ...(block !== undefined && { stampedAt: block.stamp }),
    }));
  }

  private refuseSpent({ spends }: OutputTransaction): void {
    const spent = this.blocks.flatMap(({ transactions }) => transactions.flatMap((each) => each.spends));
    if (spends.some((each) => spent.includes(each))) throw new Error('An output is spent once in a chain.');
  }

  private dropConflicts({ id, spends }: OutputTransaction): void {
    for (const other of this.pool.values())
      if (other.id !== id && other.spends.some((spent) => spends.includes(spent))) this.pool.delete(other.id);
  }

  private name(what: string): string {
    return createHash('sha256')
      .update(`${what} ${(this.made += 1)}`)
      .digest('hex');
  }
}
