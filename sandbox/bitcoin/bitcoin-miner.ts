import { LRUCache } from 'lru-cache';
import { assembleBlock, REGTEST_BITS, type AssembledBlock } from '#chains/bitcoin/encoding/assemble-block.js';
import type {
  AssembledTransaction,
  TransactionOutput,
} from '#chains/bitcoin/encoding/assemble-transaction.js';
import { doubleSha256, shownHash } from '#chains/bitcoin/encoding/wire-bytes.js';
import { BitcoinRefusal, type BitcoinRpc } from './bitcoin-rpc.js';

type Choice = 'due' | 'all' | 'nothing';

/** Contents of blocks that are to be mined. */
export interface Mining {
  readonly blocks?: number;
  /** Their time, as far as the rules allow it; absent: the miner's own. */
  readonly time?: Date;
  /**
   * `due`: what pays `LEAST_FEE_RATE` or has waited for an hour; `all`: the mempool; `nothing`: a coinbase alone, so that the
   * mempool waits. `due` unless set.
   */
  readonly take?: Choice | readonly AssembledTransaction[];
  /** The parent of the first; absent: the newest block. */
  readonly on?: { readonly hash: string; readonly height: number };
  /** The spendable outputs of the coinbases; absent: nobody's. */
  readonly payTo?: string;
}

export interface MinedBlock {
  readonly height: number;
  readonly hash: string;
  readonly stamp: number;
  /** Ids, without the coinbase. */
  readonly transactions: readonly string[];
}

/** The next block takes what pays so much, in satoshi for each virtual byte. */
export const LEAST_FEE_RATE = 2;
/** A transaction that pays less is taken so much later, by the miner's clock. */
const PATIENCE_MS = 3_600_000;

/** Anybody could spend it: OP_TRUE. */
const NOBODY = '51';
const FIRST_REWARD = 5_000_000_000n;
/** Regtest halves rewards after so many blocks. */
const HALVING_BLOCKS = 150;
/** The median is taken of so many stamps. */
const MEDIAN_OF = 11;
/** Below the limit of consensus, with room for a coinbase. */
const MOST_BYTES = 900_000;

export interface WaitingTransaction {
  readonly vsize: number;
  /** btcd's; Bitcoin Core has `fees.base`. In BTC. */
  readonly fee?: number;
  readonly fees?: { readonly base: number };
  readonly depends: readonly string[];
}

/** Mines on a regtest node at will: the time of a block, its parent and its contents are the caller's. */
export class BitcoinMiner {
  private mark = 0;
  /** The newest block that was mined here. */
  private last: string | undefined;
  /** Headers by their hashes, which never change. */
  private readonly headers = new LRUCache<string, Buffer>({ max: 500 });

  /** The time at which it saw each transaction of the mempool first. */
  private seen = new Map<string, number>();

  /** @param now the time of blocks without one @param keep called with each block before the node has it */
  constructor(
    readonly rpc: BitcoinRpc,
    private readonly now: () => Date,
    private readonly keep: (block: Uint8Array) => void = () => undefined,
  ) {}

  /** @throws BitcoinRefusal where the node takes a block for invalid, or has not all its blocks again after a restart */
  async mine({ blocks = 1, time, take = 'due', on, payTo = NOBODY }: Mining = {}): Promise<MinedBlock[]> {
    if (this.last !== undefined) await this.rpc.call('getblockheader', this.last, false);
    const mined: MinedBlock[] = [];
    let parent = on ?? (await this.tip());
    for (let i = 0; i < blocks; i += 1) {
      const height = parent.height + 1;
      const transactions = typeof take === 'string' ? await this.waiting(take) : take;
      const stamp = Math.max(seconds(time ?? this.now()), (await this.medianTime(parent.hash)) + 1);
      const reward: TransactionOutput = { script: payTo, amount: rewardOf(height) };
      this.mark += 1;
      const parts = { parentHash: parent.hash, height, stamp, bits: REGTEST_BITS, mark: this.mark };
      const block = assembleBlock({ ...parts, payTo: reward, transactions });
      await this.submit(block);
      parent = { hash: block.hash, height };
      mined.push({ ...parent, stamp, transactions: transactions.map(({ txid }) => txid) });
    }
    return mined;
  }

  async tip(): Promise<{ hash: string; height: number }> {
    const height = await this.rpc.call<number>('getblockcount');
    return { height, hash: await this.rpc.call<string>('getblockhash', height) };
  }

  /** The clock of the chain: the median stamp of the block and the ten before it, in seconds since 1970. */
  async medianTime(hash: string): Promise<number> {
    const stamps: number[] = [];
    for (let at = hash; stamps.length < MEDIAN_OF && !/^0+$/.test(at);) {
      const header = await this.header(at);
      stamps.push(header.readUInt32LE(68));
      at = shownHash(header.subarray(4, 36));
    }
    return stamps.sort((a, b) => a - b)[Math.floor(stamps.length / 2)]!;
  }

  private async header(hash: string): Promise<Buffer> {
    const known = this.headers.get(hash);
    if (known !== undefined) return known;
    const header = Buffer.from(await this.rpc.call<string>('getblockheader', hash, false), 'hex');
    this.headers.set(hash, header);
    return header;
  }

  /** Looks at the mempool, so that what pays little begins to wait. */
  async look(): Promise<Record<string, WaitingTransaction>> {
    const pool = await this.rpc.call<Record<string, WaitingTransaction>>('getrawmempool', true);
    const now = this.now().getTime();
    this.seen = new Map(Object.keys(pool).map((txid) => [txid, this.seen.get(txid) ?? now]));
    return pool;
  }

  /** Transactions of the mempool, each behind those that it spends. */
  private async waiting(choice: Choice): Promise<AssembledTransaction[]> {
    if (choice === 'nothing') return [];
    const pool = await this.look();
    const patient = this.now().getTime() - PATIENCE_MS;
    const isDue = (txid: string) => feeRate(pool[txid]!) >= LEAST_FEE_RATE || this.seen.get(txid)! <= patient;
    const taken = inOrder(pool, choice === 'all' ? () => true : isDue);
    const raw = await this.rpc.calls<string>(taken.map((txid) => ['getrawtransaction', txid, 0]));
    return raw.map((hex, i) => {
      const bytes = Buffer.from(hex, 'hex');
      return { txid: taken[i]!, wtxid: shownHash(doubleSha256(bytes)), bytes };
    });
  }

  private async submit(block: AssembledBlock): Promise<void> {
    this.keep(block.bytes);
    const refusal = await this.rpc.call<string | null>('submitblock', block.bytes.toString('hex'));
    // Bitcoin Core says so of a block that is valid and not on the best chain yet.
    if (refusal !== null && refusal !== 'inconclusive')
      throw new BitcoinRefusal(`The node rejects the block ${block.hash}: ${refusal}`);
    this.last = block.hash;
  }
}

/** The amount that a coinbase may take at most without the fees, which nobody gets. */
function rewardOf(height: number): bigint {
  return FIRST_REWARD >> BigInt(Math.floor(height / HALVING_BLOCKS));
}

/** Ids of the chosen transactions whose ancestors are chosen too, ancestors first. */
function inOrder(pool: Record<string, WaitingTransaction>, isChosen: (txid: string) => boolean): string[] {
  const decided = new Map<string, boolean>();
  const taken: string[] = [];
  let bytes = 0;
  const take = (txid: string): boolean => {
    const entry = pool[txid];
    const known = decided.get(txid);
    // An ancestor that is not in the mempool is in a block.
    if (entry === undefined || known !== undefined) return known ?? true;
    const fits = isChosen(txid) && entry.depends.every(take) && bytes + entry.vsize <= MOST_BYTES;
    decided.set(txid, fits);
    if (fits) taken.push(txid);
    if (fits) bytes += entry.vsize;
    return fits;
  };
  Object.keys(pool).forEach(take);
  return taken;
}

/** Satoshi for each virtual byte. */
function feeRate({ vsize, fee, fees }: WaitingTransaction): number {
  return Math.round((fees?.base ?? fee ?? 0) * 1e8) / vsize;
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
