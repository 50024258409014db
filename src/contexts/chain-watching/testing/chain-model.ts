import type { FinalityTag } from '#shared/kernel/asset.js';
import {
  type ChainReader,
  ChainUnavailable,
  BlockStateUnavailable,
  type BlockHeader,
  type ChainTransfer,
  type FetchedBlock,
} from '#contexts/networks/contract/chain-reader.js';
import { buildBlockOn, hashOf, type ModelBlock, type SentMovement } from './model-block.js';

export type NodeQuery = 'head' | 'block' | 'contents' | 'succeeded' | 'balances' | 'holds';

/** A chain in memory and its node, which can lag, omit blocks, forget balances and change its answers. */
export class ChainModel implements ChainReader {
  private serial = 0;
  private behind = 0;
  private readonly hidden = new Set<number>();
  /** Returned once instead of the newest block, as if another endpoint behind the same address had answered. */
  nextHead: BlockHeader | null = null;
  /** Selects transfers that the node omits from blocks, although it has their receipts. */
  skips: (transfer: ChainTransfer) => boolean = () => false;
  readBy?: string;
  /** Returns transfers that the node adds to a block, although they have no receipts. */
  invents: (header: BlockHeader) => readonly ChainTransfer[] = () => [];
  dates: (header: BlockHeader) => Date = ({ time }) => time;
  /** Number of blocks below the newest block for which balances are available. */
  statesKept = Infinity;
  /** Numbers of the newest blocks with each tag. */
  readonly tags: Record<FinalityTag, number> = { safe: -1, finalized: -1 };
  readonly doubted: string[] = [];
  readonly unreadable = new Set<string>();
  /** Called before each answer of the node. May change the chain, wait or throw. */
  beforeAnswer: (question: NodeQuery, about: number | string | null) => void | Promise<void> = () =>
    undefined;

  /**
   * @param confirmations required confirmations; null: no block ever becomes final
   * @param blockSeconds seconds between two blocks
   */
  constructor(
    genesis: Date,
    private readonly confirmations: number | null,
    public blockSeconds: number,
    private readonly chain: ModelBlock[] = [],
  ) {
    if (chain.length === 0) this.append(genesis, []);
  }

  anotherEndpoint(): ChainModel {
    return new ChainModel(this.tip.time, this.confirmations, this.blockSeconds, this.chain);
  }

  get tip(): BlockHeader {
    return this.chain.at(-1)!.header;
  }

  mine(...sent: readonly SentMovement[]): BlockHeader {
    return this.mineAt(new Date(this.tip.time.getTime() + this.blockSeconds * 1000), ...sent);
  }

  mineAt(time: Date, ...sent: readonly SentMovement[]): BlockHeader {
    return this.append(time, sent);
  }

  mineEmpty(blocks: number): void {
    for (let left = blocks; left > 0; left -= 1) this.mine();
  }

  mineBeyond(time: Date): void {
    while (this.tip.time <= time) this.mine();
  }

  removeNewestBlocks(blocks: number): void {
    this.chain.splice(this.chain.length - blocks);
  }

  /** Makes the node answer as it would have answered that many blocks ago. */
  lag(blocks: number): void {
    this.behind = blocks;
  }

  hide(number: number): void {
    this.hidden.add(number);
  }

  async head(): Promise<{ head: BlockHeader; finalNumber: number | null }> {
    await this.beforeAnswer('head', null);
    const head = this.nextHead ?? this.withAnsweredTime(this.visible().at(-1)!.header);
    this.nextHead = null;
    const final = this.confirmations === null ? -1 : head.number - this.confirmations + 1;
    return { head, finalNumber: final < 0 ? null : final };
  }

  async blockHeader(number: number): Promise<BlockHeader | null> {
    await this.beforeAnswer('block', number);
    const block = this.hidden.has(number) ? undefined : this.visible()[number];
    return block === undefined ? null : this.withAnsweredTime(block.header);
  }

  async blocks(from: number, to: number): Promise<FetchedBlock[]> {
    const headers: BlockHeader[] = [];
    for (let number = from; number <= to; number += 1) {
      const header = await this.blockHeader(number);
      if (header === null) break;
      headers.push(header);
    }
    const told: FetchedBlock[] = [];
    for (const { hash } of headers) {
      await this.beforeAnswer('contents', hash);
      told.push(this.answeredBlock(this.blockWithHash(hash)));
    }
    return told;
  }

  async succeededTransactions(blockHash: string, hashes: readonly string[]): Promise<Set<string>> {
    await this.beforeAnswer('succeeded', blockHash);
    const { failed } = this.blockWithHash(blockHash);
    return new Set(hashes.filter((hash) => !failed.has(hash)));
  }

  async balances(blockHash: string, held: readonly string[]): Promise<bigint[]> {
    await this.beforeAnswer('balances', blockHash);
    const { header, balances } = this.blockWithHash(blockHash);
    if (header.number < this.tip.number - this.statesKept)
      throw new BlockStateUnavailable('The model', 'it has forgotten the state');
    return held.map((each) => balances.get(each) ?? 0n);
  }

  async tokenBalances(
    blockHash: string,
    token: string,
    addresses: readonly string[],
  ): Promise<(bigint | null)[]> {
    if (this.unreadable.has(token)) return addresses.map(() => null);
    return this.balances(
      blockHash,
      addresses.map((address) => `${token} ${address}`),
    );
  }

  async containsTransfers(blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    await this.beforeAnswer('holds', blockHash);
    const block = this.visible().find(({ header }) => header.hash === blockHash);
    const keys = new Set(block?.transfers.map(chainTransferKey));
    return transfers.map(
      (transfer) => !block?.failed.has(transfer.transactionHash) && keys.has(chainTransferKey(transfer)),
    );
  }

  async headerByTag(tag: FinalityTag): Promise<BlockHeader | null> {
    return this.visible()[this.tags[tag]]?.header ?? null;
  }

  reportDoubtfulAnswer(reason: string): void {
    this.doubted.push(reason);
  }

  answeredBlock({ header, transfers, payouts }: FetchedBlock): FetchedBlock {
    const kept = transfers.filter((transfer) => !this.skips(transfer));
    const { readBy } = this;
    const contents = { payouts, transfers: [...kept, ...this.invents(header)] };
    return { header: this.withAnsweredTime(header), ...(readBy !== undefined && { readBy }), ...contents };
  }

  blockWithHash(blockHash: string): ModelBlock {
    const block = this.visible().find(({ header }) => header.hash === blockHash);
    if (block === undefined) throw new ChainUnavailable('The model', 'it does not know the block');
    return block;
  }

  private visible(): readonly ModelBlock[] {
    return this.chain.slice(0, this.chain.length - this.behind);
  }

  private withAnsweredTime(header: BlockHeader): BlockHeader {
    return { ...header, time: this.dates(header) };
  }

  private append(time: Date, sent: readonly SentMovement[]): BlockHeader {
    const block = buildBlockOn(this.chain.at(-1), time, sent, (what) => this.newHash(what));
    this.chain.push(block);
    return block.header;
  }

  private newHash(what: string): string {
    this.serial += 1;
    return hashOf(`${what} ${this.serial}`);
  }
}

function chainTransferKey({ kind, transactionHash, index, token, from, to, amount }: ChainTransfer): string {
  return [kind, transactionHash, index, token, from, to, amount].join(' ');
}
