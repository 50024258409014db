import { invalidField } from '#shared/kernel/domain-error.js';
import {
  type BlockHeader,
  type ChainHead,
  type ChainReader,
  type ChainTransfer,
  ChainUnavailable,
  type OwnAddressLookup,
  type BlockRangeContents,
  type FetchedBlock,
  type SecondEndpoint,
  BlockStateUnavailable,
} from '../contract/chain-reader.js';
import { recipientKey } from '../contract/deposit-addresses.js';
import { finalBlockByConfirmations } from '../contract/finality-depth.js';
import type { FoundTransaction, TransactionLookup } from '../contract/transaction-lookup.js';

export interface InMemoryChain<Block extends { readonly header: BlockHeader }> {
  readonly blocks: readonly Block[];
  readonly head: BlockHeader;
  withHash(hash: string): Block | undefined;
  transfersIn(block: Block): readonly ChainTransfer[];
}

const recipientOf = ({ to, toTag }: ChainTransfer) => ({
  address: to,
  ...(toTag !== undefined && { tag: toTag }),
});

/** Reader and second endpoint of an in-memory chain, as a single endpoint. Balances are not supported. */
export class InMemoryReading<Block extends { readonly header: BlockHeader }>
  implements ChainReader, SecondEndpoint
{
  /** @param filters true if only transfers to own addresses are returned */
  constructor(
    private readonly network: string,
    private readonly chain: InMemoryChain<Block>,
    private readonly confirmations: number,
    private readonly filters: boolean,
  ) {}

  isIndependent = () => false;
  isOnlyEndpoint = () => true;
  fingerprint = () => null;
  reportDoubtfulAnswer = () => undefined;
  blockHeader = (number: number) => Promise.resolve(this.chain.blocks[number]?.header ?? null);
  balances = () => Promise.reject(new BlockStateUnavailable(this.network, 'no balance is known.'));
  tokenBalances = this.balances;

  head(): Promise<ChainHead> {
    return Promise.resolve({ head: this.chain.head, finalNumber: this.final() });
  }

  finalNumber(): Promise<number | null> {
    return Promise.resolve(this.final());
  }

  blocks(from: number, to: number, _final: number | null, ours?: OwnAddressLookup) {
    return Promise.all(
      this.chain.blocks.slice(from, to + 1).map(async (block): Promise<FetchedBlock> => {
        return { header: block.header, transfers: await this.transfersIn(block, ours), payouts: [] };
      }),
    );
  }

  async contentsOfBlockRange(from: number, to: number, ours?: OwnAddressLookup): Promise<BlockRangeContents> {
    const blocks = await this.blocks(from, to, null, ours);
    const last = blocks.at(-1)?.header;
    if (last?.number !== to) throw new ChainUnavailable(this.network, `it does not know block ${to}.`);
    const contents = blocks
      .filter(({ transfers }) => transfers.length > 0)
      .map(({ header: { number, hash }, transfers }) => ({ number, hash, transfers, payouts: [] }));
    return { last, contents };
  }

  async succeededTransactions(blockHash: string, hashes: readonly string[]) {
    const there = new Set((await this.inBlock(blockHash)).map(({ transactionHash }) => transactionHash));
    return new Set(hashes.filter((hash) => there.has(hash)));
  }

  async containsTransfers(blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    const there = new Set((await this.inBlock(blockHash)).map(keyOf));
    return transfers.map((transfer) => there.has(keyOf(transfer)));
  }

  private final(): number | null {
    return finalBlockByConfirmations(this.chain.head.number, this.confirmations);
  }

  private async inBlock(blockHash: string): Promise<readonly ChainTransfer[]> {
    const block = this.chain.withHash(blockHash);
    if (block === undefined) throw new ChainUnavailable(this.network, `it does not know block ${blockHash}.`);
    return this.chain.transfersIn(block);
  }

  private async transfersIn(block: Block, ours?: OwnAddressLookup): Promise<readonly ChainTransfer[]> {
    const all = this.chain.transfersIn(block);
    if (ours === undefined || !this.filters) return all;
    const own = await ours(all.map(recipientOf));
    return all.filter((transfer) => own.has(recipientKey(recipientOf(transfer))));
  }
}

function keyOf({ transactionHash, index, token, from, to, toTag = '', amount }: ChainTransfer): string {
  return [transactionHash, index, token, from, to, toTag, amount].join(' ');
}

export class InMemoryLookup<Block extends { readonly header: BlockHeader }> implements TransactionLookup {
  constructor(
    private readonly chain: InMemoryChain<Block>,
    private readonly hashes: { readonly form: RegExp; readonly spelled: (text: string) => string },
    private readonly waits: (hash: string) => boolean = () => false,
  ) {}

  parseHash(field: string, text: string): string {
    if (this.hashes.form.test(text)) return this.hashes.spelled(text);
    throw invalidField(field, 'transaction_hash', `must be of the form ${this.hashes.form.source}.`);
  }

  find(hash: string): Promise<FoundTransaction | 'unknown'> {
    for (const block of this.chain.blocks) {
      const transfers = this.chain
        .transfersIn(block)
        .filter(({ transactionHash }) => transactionHash === hash);
      const { number: blockNumber, hash: blockHash } = block.header;
      if (transfers.length > 0)
        return Promise.resolve({ blockNumber, blockHash, succeeded: true, transfers });
    }
    const waiting = { blockNumber: null, blockHash: null, succeeded: true, transfers: [] };
    return Promise.resolve(this.waits(hash) ? waiting : 'unknown');
  }
}
