import { createHash } from 'node:crypto';
import {
  ChainReader,
  ChainUnavailable,
  type BlockHeader,
  type TokenTransfer,
} from '../../networks/contract/chain-reader.js';

/** A transfer that is to be mined. */
export interface Sent {
  readonly to: string;
  readonly amount: bigint;
  readonly token: string;
  /** Several with the same name stand in one transaction; absent: a transaction of its own. */
  readonly transaction?: string;
}

interface ModelBlock extends BlockHeader {
  readonly transfers: readonly TokenTransfer[];
}

export type Question = 'head' | 'block' | 'transfers';

/**
 * A little chain and the node that tells of it: blocks are mined onto a tip, the tip can be taken back and grown
 * anew, and the node can lag, leave gaps and change its mind between two answers.
 */
export class ChainModel extends ChainReader {
  private readonly chain: ModelBlock[] = [];
  private serial = 0;
  private behind = 0;
  private readonly hidden = new Set<number>();
  /** Told once instead of the tip, as by another endpoint behind the same address. */
  nextHead: BlockHeader | null = null;
  /** Called before each answer; may change the chain, wait or throw. */
  beforeAnswer: (question: Question, about: number | string | null) => void | Promise<void> = () => undefined;

  /**
   * @param confirmations at which a block is final; null: no block ever is
   * @param blockSeconds between the timestamps of two blocks
   */
  constructor(
    genesis: Date,
    private readonly confirmations: number | null,
    public blockSeconds: number,
  ) {
    super();
    this.append(genesis, []);
  }

  get tip(): BlockHeader {
    return this.chain.at(-1)!;
  }

  /** One block with these transfers, one interval after the tip. */
  mine(...sent: readonly Sent[]): BlockHeader {
    return this.mineAt(new Date(this.tip.time.getTime() + this.blockSeconds * 1000), ...sent);
  }

  mineAt(time: Date, ...sent: readonly Sent[]): BlockHeader {
    return this.append(time, sent);
  }

  mineEmpty(blocks: number): void {
    for (let left = blocks; left > 0; left -= 1) this.mine();
  }

  /** Empty blocks until the tip's timestamp is later than `time`. */
  mineBeyond(time: Date): void {
    while (this.tip.time <= time) this.mine();
  }

  /** Takes the newest blocks back; what is mined next stands on another fork. */
  takeBack(blocks: number): void {
    this.chain.splice(this.chain.length - blocks);
  }

  /** The node answers as it would have that many blocks ago. */
  lag(blocks: number): void {
    this.behind = blocks;
  }

  /** The node denies knowing the canonical block of this height. */
  hide(number: number): void {
    this.hidden.add(number);
  }

  reveal(): void {
    this.hidden.clear();
  }

  async head(): Promise<{ head: BlockHeader; finalNumber: number | null }> {
    await this.beforeAnswer('head', null);
    const head = this.nextHead ?? this.visible().at(-1)!;
    this.nextHead = null;
    const final = this.confirmations === null ? -1 : head.number - this.confirmations + 1;
    return { head, finalNumber: final < 0 ? null : final };
  }

  async block(_network: string, number: number): Promise<BlockHeader | null> {
    await this.beforeAnswer('block', number);
    return this.hidden.has(number) ? null : (this.visible()[number] ?? null);
  }

  async transfers(network: string, blockHash: string): Promise<TokenTransfer[]> {
    await this.beforeAnswer('transfers', blockHash);
    const block = this.visible().find(({ hash }) => hash === blockHash);
    if (block === undefined) throw new ChainUnavailable(network, 'it does not know the block');
    return [...block.transfers];
  }

  private visible(): readonly ModelBlock[] {
    return this.chain.slice(0, this.chain.length - this.behind);
  }

  private append(time: Date, sent: readonly Sent[]): BlockHeader {
    const parent = this.chain.at(-1);
    const hash = this.fresh('block');
    const block: ModelBlock = {
      number: parent === undefined ? 0 : parent.number + 1,
      hash,
      parentHash: parent?.hash ?? `0x${'0'.repeat(64)}`,
      time,
      transfers: sent.map(({ to, amount, token, transaction }, logIndex) => ({
        transactionHash: transaction === undefined ? this.fresh('transaction') : hashOf(transaction),
        logIndex,
        token,
        from: `0x${'f'.repeat(40)}`,
        to: to.toLowerCase(),
        amount,
      })),
    };
    this.chain.push(block);
    return block;
  }

  private fresh(what: string): string {
    this.serial += 1;
    return hashOf(`${what} ${this.serial}`);
  }
}

function hashOf(text: string): string {
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}
