import type { Outpoint, TransactionOutput } from '../encoding/assemble-transaction.js';
import {
  type NodeBlock,
  type NodeTransaction,
  PAYER_SCRIPT,
  genesis,
  nodeBlock,
  nodeTransaction,
} from './bitcoin-blocks.js';
import { BitcoinMempool, Refused, outpointKey } from './bitcoin-mempool.js';

export interface Coin extends TransactionOutput {
  readonly height: number;
}

export interface PaymentTerms {
  /** Outputs that the payment spends. To replace a payment, the outputs that it spent. Default: an unused coin. */
  readonly spends?: readonly Outpoint[];
  /** Fee in satoshis. Default: 1,000. */
  readonly fee?: bigint;
  readonly signals?: boolean;
}

const COINS_OF_PAYERS = 200;
const MINUTE_MS = 60_000;

/**
 * A simulated Bitcoin chain of one node, with forks, mempool, and real headers, merkle roots and regtest work.
 * Coinbases can be spent immediately, and scripts are not executed.
 */
export class BitcoinChain {
  readonly blocks: NodeBlock[];
  readonly coins = new Map<string, Coin>();
  readonly mempool = new BitcoinMempool(this.coins);
  private readonly known = new Map<string, NodeBlock>();
  private readonly spent = new Map<string, readonly (readonly [string, Coin])[]>();
  private purse: Outpoint[] = [];

  constructor(
    public now: number,
    first: NodeBlock = genesis(),
  ) {
    this.blocks = [first];
    this.known.set(first.hash, first);
  }

  /** Creates a chain of twelve blocks, ten minutes apart until `now`, whose test payers own coins. */
  static begun(now: number): BitcoinChain {
    const chain = new BitcoinChain(now - 120 * MINUTE_MS);
    for (let height = 1; height <= 12; height += 1) {
      chain.now += 10 * MINUTE_MS;
      if (height === 2) chain.fund(COINS_OF_PAYERS);
      chain.mine();
    }
    return chain;
  }

  get head(): NodeBlock {
    return this.blocks.at(-1)!;
  }

  withHash(hash: string): NodeBlock | undefined {
    return this.known.get(hash);
  }

  isActive({ height, hash }: NodeBlock): boolean {
    return this.blocks[height]?.hash === hash;
  }

  /**
   * Splits the coinbase of the newest block into coins for the test payers. They can be spent once the next block is
   * mined.
   */
  fund(count: number): void {
    const [coinbase] = this.head.transactions;
    const amount = coinbase!.outputs[0]!.amount / BigInt(count);
    const outputs = Array.from({ length: count }, () => ({ script: PAYER_SCRIPT, amount }));
    const split = nodeTransaction({ inputs: [{ txid: coinbase!.txid, vout: 0 }], outputs });
    this.mempool.accept(split, this.now);
    this.purse.push(...outputs.map((_, vout) => ({ txid: split.txid, vout })));
  }

  pay(outputs: readonly TransactionOutput[], terms: PaymentTerms = {}): NodeTransaction {
    const transaction = this.payment(outputs, terms);
    this.send(transaction);
    return transaction;
  }

  payment(
    outputs: readonly TransactionOutput[],
    { spends = [this.coin()], fee = 1_000n, signals = true }: PaymentTerms = {},
  ): NodeTransaction {
    const brought = spends.reduce((sum, each) => sum + this.amountOf(each), 0n);
    const rest = outputs.reduce((left, { amount }) => left - amount, brought - fee);
    const witness = [Buffer.alloc(71, 0x30), Buffer.alloc(33, 2)];
    const sequence = signals ? {} : { sequence: 0xfffffffe };
    return nodeTransaction({
      inputs: spends.map(({ txid, vout }) => ({ txid, vout, witness, ...sequence })),
      outputs: rest > 0n ? [...outputs, { script: PAYER_SCRIPT, amount: rest }] : outputs,
    });
  }

  send(transaction: NodeTransaction): void {
    this.mempool.accept(transaction, this.now);
  }

  mine(transactions?: readonly NodeTransaction[], stampMs = this.now): NodeBlock {
    const waiting = [...this.mempool.entries.values()];
    const chosen = transactions ?? waiting.map(({ transaction }) => transaction);
    const stamp = Math.max(Math.floor(stampMs / 1_000), this.head.medianTime + 1);
    const fees = transactions === undefined ? waiting.reduce((sum, { fee }) => sum + fee, 0n) : 0n;
    const stamps = this.blocks.map((block) => block.stamp);
    const block = nodeBlock(this.head, stamps, stamp, chosen, fees);
    this.accept(block);
    return block;
  }

  /**
   * Replaces the newest blocks by a branch that is one block longer.
   * @param contents transactions of the new blocks, lowest block first; default: none
   */
  reorganize(depth: number, contents: readonly (readonly NodeTransaction[])[] = []): NodeBlock[] {
    const branch: NodeBlock[] = [];
    const stamps = this.blocks.slice(0, -depth).map((block) => block.stamp);
    let parent = this.blocks.at(-1 - depth)!;
    for (let i = 0; i <= depth; i += 1) {
      const stamp = Math.max(Math.floor(this.now / 1_000), parent.medianTime + 1);
      parent = nodeBlock(parent, stamps, stamp, contents[i] ?? [], 0n);
      stamps.push(stamp);
      branch.push(parent);
    }
    branch.forEach((block) => this.accept(block));
    return branch;
  }

  /**
   * Accepts a block, also of another node. The longest branch becomes active, and transactions of orphaned blocks are
   * pending again.
   */
  accept(block: NodeBlock): void {
    if (!this.known.has(block.parentHash)) throw new Refused('prev-blk-not-found');
    this.known.set(block.hash, block);
    if (block.height <= this.head.height) return;
    const branch = [block];
    while (!this.isActive(this.parentOf(branch[0]!))) branch.unshift(this.parentOf(branch[0]!));
    const left: NodeBlock[] = [];
    while (this.head.height >= branch[0]!.height) left.unshift(this.disconnect());
    branch.forEach((each) => this.connect(each));
    if (left.length > 0) this.takeAgain(left.flatMap(({ transactions }) => transactions.slice(1)));
  }

  private parentOf({ parentHash }: NodeBlock): NodeBlock {
    return this.known.get(parentHash)!;
  }

  private connect(block: NodeBlock): void {
    const spent: (readonly [string, Coin])[] = [];
    for (const { txid, inputs, outputs } of block.transactions) {
      for (const key of inputs.map(outpointKey)) {
        const coin = this.coins.get(key);
        if (coin === undefined) throw new Refused('bad-txns-inputs-missingorspent');
        this.coins.delete(key);
        spent.push([key, coin]);
      }
      outputs.forEach((output, vout) =>
        this.coins.set(outpointKey({ txid, vout }), { ...output, height: block.height }),
      );
    }
    this.spent.set(block.hash, spent);
    this.blocks.push(block);
    this.mempool.mined(block.transactions);
  }

  private disconnect(): NodeBlock {
    const block = this.blocks.pop()!;
    for (const [key, coin] of this.spent.get(block.hash)!) this.coins.set(key, coin);
    for (const { txid, outputs } of block.transactions)
      outputs.forEach((_, vout) => this.coins.delete(outpointKey({ txid, vout })));
    return block;
  }

  /**
   * Adds transactions of orphaned blocks to the mempool, then all previously pending ones again, because their inputs
   * may no longer exist.
   */
  private takeAgain(transactions: readonly NodeTransaction[]): void {
    const waited = [...this.mempool.entries.values()];
    waited.forEach(({ transaction }) => this.mempool.evict(transaction.txid));
    const again = transactions.map((transaction) => ({ transaction, since: this.now }));
    for (const { transaction, since } of [...again, ...waited]) {
      try {
        this.mempool.accept(transaction, since);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
    }
  }

  private coin(): Outpoint {
    const found = this.purse.shift();
    if (found === undefined)
      throw new Error('The payers of this chain have no coin left: fund() makes more.');
    return found;
  }

  private amountOf(outpoint: Outpoint): bigint {
    const waiting = this.mempool.entries.get(outpoint.txid)?.transaction.outputs[outpoint.vout];
    return (waiting ?? this.coins.get(outpointKey(outpoint)))!.amount;
  }
}
