import { invalidField } from '#shared/kernel/domain-error.js';
import {
  type BlockHeader,
  ChainAnswers,
  type ChainHead,
  type ChainReader,
  type ChainTransfer,
  ChainUnavailable,
  type RangeContents,
  type ReadBlock,
  type SecondEndpoint,
} from '../contract/chain-reader.js';
import { type FoundTransaction, TransactionLookup } from '../contract/transaction-lookup.js';
import type { MemoryChain } from './memory-chain.js';

const CONFIRMATIONS = 3;

abstract class MemoryAnswers extends ChainAnswers {
  constructor(protected readonly chain: MemoryChain) {
    super();
  }

  block(_network: string, number: number): Promise<BlockHeader | null> {
    return Promise.resolve(this.chain.at(number)?.header ?? null);
  }

  async succeeded(
    network: string,
    blockHash: string,
    hashes: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const inBlock = new Set(this.inBlock(network, blockHash).map(({ transactionHash }) => transactionHash));
    return new Set(hashes.filter((hash) => inBlock.has(hash)));
  }

  /** Balances are of accounts: one address holds the money of many requests. */
  async balances(network: string, blockHash: string, addresses: readonly string[]): Promise<bigint[]> {
    const { number } = this.known(network, blockHash).header;
    const all = this.chain.blocks.slice(0, number + 1).flatMap(({ transfers }) => transfers);
    return addresses.map((address) =>
      all.reduce((sum, { to, from, amount }) => {
        const moved = (to === address ? amount : 0n) - (from === address ? amount : 0n);
        return sum + moved;
      }, 0n),
    );
  }

  tokenBalances(
    network: string,
    blockHash: string,
    _token: string,
    addresses: readonly string[],
  ): Promise<(bigint | null)[]> {
    return this.balances(network, blockHash, addresses);
  }

  async holds(network: string, blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    const there = this.inBlock(network, blockHash);
    return transfers.map((transfer) => there.some((each) => keyOf(each) === keyOf(transfer)));
  }

  protected finalUpTo(): number | null {
    const number = this.chain.head.number - CONFIRMATIONS + 1;
    return number < 0 ? null : number;
  }

  private inBlock(network: string, blockHash: string): readonly ChainTransfer[] {
    return this.known(network, blockHash).transfers;
  }

  private known(network: string, blockHash: string) {
    const block = this.chain.withHash(blockHash);
    if (block === undefined) throw new ChainUnavailable(network, `it does not know block ${blockHash}.`);
    return block;
  }
}

export class MemoryReader extends MemoryAnswers implements ChainReader {
  head(): Promise<ChainHead> {
    return Promise.resolve({ head: this.chain.head, finalNumber: this.finalUpTo() });
  }

  blocks(_network: string, from: number, to: number): Promise<ReadBlock[]> {
    return Promise.resolve(this.chain.blocks.slice(from, to + 1).map((block) => ({ ...block, payouts: [] })));
  }

  doubt(): void {}
}

/** The same chain asked again: a memory network has one endpoint. */
export class MemorySecondEndpoint extends MemoryAnswers implements SecondEndpoint {
  isIndependent(): boolean {
    return false;
  }

  isAlone(): boolean {
    return true;
  }

  fingerprint(): null {
    return null;
  }

  finalNumber(): Promise<number | null> {
    return Promise.resolve(this.finalUpTo());
  }

  async contents(network: string, from: number, to: number): Promise<RangeContents> {
    const blocks = this.chain.blocks.slice(from, to + 1);
    const last = blocks.at(-1)?.header;
    if (last?.number !== to) throw new ChainUnavailable(network, `it does not know block ${to}.`);
    const contents = blocks
      .filter(({ transfers }) => transfers.length > 0)
      .map(({ header: { number, hash }, transfers }) => ({ number, hash, transfers, payouts: [] }));
    return { last, contents };
  }
}

export class MemoryLookup extends TransactionLookup {
  constructor(private readonly chain: MemoryChain) {
    super();
  }

  readHash(_network: string, field: string, text: string): string {
    if (/^TX-\d+$/i.test(text)) return text.toUpperCase();
    throw invalidField(field, 'transaction_name', 'must be TX- and digits.');
  }

  find(_network: string, hash: string): Promise<FoundTransaction | 'unknown'> {
    for (const { header, transfers } of this.chain.blocks) {
      const found = transfers.filter(({ transactionHash }) => transactionHash === hash);
      if (found.length > 0)
        return Promise.resolve({
          blockNumber: header.number,
          blockHash: header.hash,
          succeeded: true,
          transfers: found,
        });
    }
    return Promise.resolve('unknown');
  }
}

function keyOf({ transactionHash, index, token, from, to, toTag = '', amount }: ChainTransfer): string {
  return [transactionHash, index, token, from, to, toTag, amount].join(' ');
}
