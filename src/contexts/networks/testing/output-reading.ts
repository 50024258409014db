import { invalidField } from '#shared/kernel/domain-error.js';
import {
  type BlockHeader,
  ChainAnswers,
  type ChainHead,
  type ChainReader,
  type ChainTransfer,
  ChainUnavailable,
  type OwnAddresses,
  type RangeContents,
  type ReadBlock,
  type SecondEndpoint,
  StateUnavailable,
} from '../contract/chain-reader.js';
import { type Derivation, recipientKey } from '../contract/deposit-addresses.js';
import { finalByConfirmations } from '../contract/finality-depth.js';
import { type GoneTransaction, type PendingLook, PendingTransfers } from '../contract/pending-transfers.js';
import { type FoundTransaction, TransactionLookup } from '../contract/transaction-lookup.js';
import type { OutputBlock, OutputChain } from './output-chain.js';

abstract class OutputAnswers extends ChainAnswers {
  constructor(
    protected readonly chain: OutputChain,
    private readonly confirmations: number,
  ) {
    super();
  }

  block(_network: string, number: number): Promise<BlockHeader | null> {
    return Promise.resolve(this.chain.blocks[number]?.header ?? null);
  }

  /** A transaction that failed is in no block. */
  succeeded(_network: string, _blockHash: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set(hashes));
  }

  balances(network: string): Promise<bigint[]> {
    return Promise.reject(new StateUnavailable(network, 'no balance is known.'));
  }

  tokenBalances(network: string): Promise<(bigint | null)[]> {
    return Promise.reject(new StateUnavailable(network, 'no balance is known.'));
  }

  async holds(network: string, blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    const block = this.chain.withHash(blockHash);
    if (block === undefined) throw new ChainUnavailable(network, `it does not know block ${blockHash}.`);
    const there = new Set((await this.transfersOf(block)).map(keyOf));
    return transfers.map((transfer) => there.has(keyOf(transfer)));
  }

  protected finalUpTo(): number | null {
    return finalByConfirmations(this.chain.head.number, this.confirmations);
  }

  protected async transfersOf(block: OutputBlock, ours?: OwnAddresses): Promise<ChainTransfer[]> {
    const all = block.transactions.flatMap((each) => this.chain.transfersOf(each, block));
    const own = await ours?.(all.map(({ to }) => ({ address: to })));
    return own === undefined ? all : all.filter(({ to }) => own.has(recipientKey({ address: to })));
  }
}

export class OutputReader extends OutputAnswers implements ChainReader {
  head(): Promise<ChainHead> {
    return Promise.resolve({ head: this.chain.head, finalNumber: this.finalUpTo() });
  }

  blocks(_network: string, from: number, to: number, _final: number | null, ours?: OwnAddresses) {
    const blocks = this.chain.blocks.slice(from, to + 1);
    return Promise.all(
      blocks.map(async (block): Promise<ReadBlock> => {
        return { header: block.header, transfers: await this.transfersOf(block, ours), payouts: [] };
      }),
    );
  }

  doubt(): void {}
}

/** The same chain asked again: such a network has one endpoint. */
export class OutputSecondEndpoint extends OutputAnswers implements SecondEndpoint {
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

  async contents(network: string, from: number, to: number, ours?: OwnAddresses): Promise<RangeContents> {
    const blocks = this.chain.blocks.slice(from, to + 1);
    const last = blocks.at(-1)?.header;
    if (last?.number !== to) throw new ChainUnavailable(network, `it does not know block ${to}.`);
    const contents = await Promise.all(
      blocks.map(async (block) => {
        const { number, hash } = block.header;
        return { number, hash, transfers: await this.transfersOf(block, ours), payouts: [] };
      }),
    );
    return { last, contents: contents.filter(({ transfers }) => transfers.length > 0) };
  }
}

export class OutputLookup extends TransactionLookup {
  constructor(private readonly chain: OutputChain) {
    super();
  }

  readHash(_network: string, field: string, text: string): string {
    if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
    throw invalidField(field, 'transaction_hash', 'must be 64 hexadecimal digits.');
  }

  find(_network: string, hash: string): Promise<FoundTransaction | 'unknown'> {
    for (const block of this.chain.blocks) {
      const transaction = block.transactions.find(({ id }) => id === hash);
      if (transaction === undefined) continue;
      const { number: blockNumber, hash: blockHash } = block.header;
      const transfers = this.chain.transfersOf(transaction, block);
      return Promise.resolve({ blockNumber, blockHash, succeeded: true, transfers });
    }
    const waiting = { blockNumber: null, blockHash: null, succeeded: true, transfers: [] };
    return Promise.resolve(this.chain.pool.has(hash) ? waiting : 'unknown');
  }
}

export class OutputPending extends PendingTransfers {
  /** False: an endpoint did not answer whole, and absence means nothing. */
  isWhole = true;
  /** How old the lists are that a look is of, in milliseconds. */
  ageMs = 0;
  /** False: the node does not say how long it has had a transaction. */
  saysAge = true;
  /** Examined, and there in the last look. */
  private known: ReadonlySet<string> = new Set();

  constructor(private readonly chain: OutputChain) {
    super();
  }

  async look(_network: string, ours: OwnAddresses, limit: number): Promise<PendingLook> {
    const { pool, now } = this.chain;
    const held = new Set(pool.keys());
    const fresh = [...pool.values()].filter(({ id }) => !this.known.has(id));
    const examined = fresh.slice(0, limit);
    const transfers = examined.flatMap((transaction) => {
      const heldForMs = this.saysAge ? now - transaction.sentAt : null;
      return this.chain
        .transfersOf(transaction)
        .map((transfer) => ({ ...transfer, heldForMs, paysEnough: transaction.isCheap !== true }));
    });
    const own = await ours(transfers.map(({ to }) => ({ address: to })));
    this.known = new Set(
      [...held].filter((id) => this.known.has(id) || examined.some((each) => each.id === id)),
    );
    return {
      transfers: transfers.filter(({ to }) => own.has(recipientKey({ address: to }))),
      isWhole: this.isWhole,
      ageMs: this.ageMs,
      hasMore: fresh.length > examined.length,
      has: (hash) => held.has(hash),
    };
  }

  fates(_network: string, gone: readonly GoneTransaction[]) {
    const fateOf = ({ transactionHash, evidence }: GoneTransaction) =>
      this.chain.spendersOf(spentBy(evidence)).some(({ id }) => id !== transactionHash)
        ? 'replaced'
        : 'waits';
    return Promise.resolve(gone.map(fateOf));
  }

  conflict(_network: string, one: Derivation, other: Derivation): boolean {
    return spentBy(one).some((spent) => spentBy(other).includes(spent));
  }

  conflictingParts(_network: string, evidence: Derivation): readonly Derivation[] {
    return spentBy(evidence).map((spent) => ({ spends: [spent] }));
  }
}

function spentBy({ spends }: Derivation): readonly string[] {
  return spends as readonly string[];
}

function keyOf({ transactionHash, index, token, from, to, amount }: ChainTransfer): string {
  return [transactionHash, index, token, from, to, amount].join(' ');
}
