import { concatHex, keccak256, numberToHex } from 'viem';
import {
  bloomOf,
  type ChainBlock,
  type MinedTransaction,
  ancestorOf,
  baseFeeAfter,
  block,
} from './chain-block.js';
import { ChainState } from './chain-state.js';
import { Machine, type Surroundings } from './machine.js';
import { Pool } from './pool.js';
import { type SignedTransaction, priceIn, readTransaction } from './signed-transaction.js';

export interface Beginning {
  readonly chainId: number;
  /** The first block's time, in seconds since 1970. */
  readonly time: number;
  readonly accounts: Readonly<Record<string, { readonly balance?: bigint; readonly code?: Uint8Array }>>;
}

export interface Mining {
  /** Seconds since 1970, later than the block before. */
  readonly time: number;
  /** The transactions that it takes of those that wait: all that pay enough, unless hashes say otherwise. */
  readonly including?: 'all' | 'none' | readonly string[];
  /** The block to mine upon, of whatever branch: the chain's head stays where it is then. */
  readonly upon?: ChainBlock;
}

const GAS_LIMIT = 30_000_000n;
const NOBODY = `0x${'00'.repeat(20)}`;
const LEAST_BASE_FEE = 7n;
const FIRST_BASE_FEE = 1_000_000_000n;

/**
 * An EVM chain in memory: a tree of blocks, each with the accounts as it leaves them, and the transactions that wait. It has no
 * clock and draws nothing.
 */
export class MemoryChain {
  readonly pool = new Pool();
  readonly suggestedTip = 1_000_000_000n;
  readonly gasLimit = GAS_LIMIT;
  readonly miner = `0x${'c0'.repeat(20)}`;
  private readonly canonical: ChainBlock[];
  private readonly byHash = new Map<string, ChainBlock>();
  private readonly places = new Map<string, ChainBlock[]>();
  private nextBaseFee: bigint | null = null;
  private mined = 0;

  private constructor(
    readonly chainId: number,
    private readonly machine: Machine,
    first: ChainBlock,
  ) {
    this.canonical = [first];
    this.byHash.set(first.hash, first);
  }

  static async begin({ chainId, time, accounts }: Beginning): Promise<MemoryChain> {
    const state = Object.entries(accounts).reduce((sum, [address, { balance = 0n, code }]) => {
      const coded = code === undefined ? {} : { code, codeHash: keccak256(code, 'bytes') };
      return sum.with(address.toLowerCase(), { balance, ...coded });
    }, ChainState.empty);
    const fixed = { gasLimit: GAS_LIMIT, miner: NOBODY, baseFee: FIRST_BASE_FEE };
    const randomness = keccak256(numberToHex(chainId, { size: 32 }));
    const first = block({ ...fixed, parent: null, time, randomness, transactions: [], state });
    return new MemoryChain(chainId, await Machine.create(chainId), first);
  }

  get head(): ChainBlock {
    return this.canonical.at(-1)!;
  }

  get evm(): Pick<Machine, 'run'> {
    return this.machine;
  }

  block(hash: string): ChainBlock | undefined {
    return this.byHash.get(hash);
  }

  /** The block at that height on the branch that ends in `tip`. */
  at(number: number, tip = this.head): ChainBlock | null {
    if (this.canonical[tip.number] !== tip) return ancestorOf(tip, number);
    return number <= tip.number ? (this.canonical[number] ?? null) : null;
  }

  /** Where a transaction is on the branch that ends in `tip`. */
  placeOf(hash: string, tip = this.head): readonly [ChainBlock, MinedTransaction] | null {
    const block = this.places.get(hash)?.find((each) => this.at(each.number, tip) === each);
    const mined = block?.transactions.find(({ signed }) => signed.hash === hash);
    return mined === undefined ? null : [block!, mined];
  }

  setNextBaseFee(baseFee: bigint): void {
    this.nextBaseFee = baseFee;
  }

  baseFeeUpon(parent: ChainBlock): bigint {
    if (this.nextBaseFee !== null && parent === this.head) return this.nextBaseFee;
    const baseFee = baseFeeAfter(parent);
    return baseFee < LEAST_BASE_FEE ? LEAST_BASE_FEE : baseFee;
  }

  /** Takes signed bytes as a node does. @throws PoolRefusal, or Error where they are no transaction */
  send(raw: string, upon = this.head): SignedTransaction {
    return this.take(readTransaction(raw, this.chainId), upon);
  }

  /** @throws PoolRefusal */
  take(signed: SignedTransaction, upon = this.head): SignedTransaction {
    this.pool.add(signed, upon.state);
    return signed;
  }

  async mine({ time, including = 'all', upon: aside }: Mining): Promise<ChainBlock> {
    const upon = aside ?? this.head;
    if (time <= upon.time) throw new RangeError(`The block before is of ${upon.time}, not before ${time}.`);
    const isHead = aside === undefined;
    const { gasLimit, miner } = this;
    this.mined += 1;
    const randomness = keccak256(concatHex([upon.hash, numberToHex(this.mined, { size: 32 })]));
    const baseFee = this.baseFeeUpon(upon);
    const next = { parent: upon, time, baseFee, randomness, gasLimit, miner };
    const mayBe = selection(including);
    const isEmpty = !isHead || mayBe === null || this.pool.size === 0;
    const filled = isEmpty ? null : await this.fill(next, mayBe);
    const made = block({
      ...next,
      transactions: filled?.transactions ?? [],
      state: filled?.state ?? upon.state,
    });
    if (isHead && this.head !== upon) throw new Error('The chain changed while a block was made.');
    this.byHash.set(made.hash, made);
    for (const { signed } of made.transactions)
      this.places.set(signed.hash, [...(this.places.get(signed.hash) ?? []), made]);
    if (!isHead) return made;
    this.nextBaseFee = null;
    this.canonical.push(made);
    this.pool.forgetUsed(made.state, new Set(made.transactions.map(({ signed }) => signed.from)));
    return made;
  }

  /**
   * Leaves all blocks above that number.
   * @param transactions of the left blocks: they wait again, or nobody has them any more
   * @returns the left blocks, oldest first
   */
  unwind(toNumber: number, transactions: 'wait' | 'drop'): ChainBlock[] {
    const left = this.canonical.splice(Math.max(1, toNumber + 1));
    this.nextBaseFee = null;
    if (transactions === 'wait')
      for (const { signed } of left.flatMap((each) => each.transactions)) this.pool.takeBack(signed);
    return left;
  }

  /** The part of the chain that code sees in a block upon `parent`. */
  surroundings(
    next: Pick<ChainBlock, 'time' | 'baseFee' | 'gasLimit' | 'miner' | 'randomness'> & {
      readonly parent: ChainBlock;
    },
  ): Surroundings {
    const { parent, time, baseFee, gasLimit, miner, randomness } = next;
    const hashOf = (number: number) => this.at(number, parent)?.hash ?? parent.hash;
    return { number: parent.number + 1, time, baseFee, gasLimit, miner, randomness, hashOf };
  }

  private async fill(
    next: Parameters<MemoryChain['surroundings']>[0],
    mayBe: (signed: SignedTransaction) => boolean,
  ): Promise<{ transactions: MinedTransaction[]; state: ChainState }> {
    const around = this.surroundings(next);
    const transactions: MinedTransaction[] = [];
    let { state } = next.parent;
    let [gasUsedSoFar, firstLog] = [0n, 0];
    for (;;) {
      const room = next.gasLimit - gasUsedSoFar;
      const signed = this.pool.best(state, next.baseFee, (each) => each.gasLimit <= room && mayBe(each));
      if (signed === null) return { transactions, state };
      const gasPrice = priceIn(next.baseFee, signed);
      const outcome = await this.machine.run({ ...signed, gasPrice }, around, state);
      const { gasUsed, failure, logs, created, moves } = outcome;
      ({ state } = outcome);
      gasUsedSoFar += gasUsed;
      const shown = { index: transactions.length, bloom: bloomOf(logs), firstLog, gasUsedSoFar };
      transactions.push({ signed, gasPrice, gasUsed, failure, logs, created, moves, ...shown });
      firstLog += logs.length;
    }
  }
}

function selection(including: NonNullable<Mining['including']>) {
  if (including === 'none') return null;
  if (including === 'all') return () => true;
  const hashes = new Set(including);
  return ({ hash }: SignedTransaction) => hashes.has(hash);
}
