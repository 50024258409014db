import { LRUCache } from 'lru-cache';
import { assembleBlock, REGTEST_BITS, type AssembledBlock } from '#chains/bitcoin/encoding/assemble-block.js';
import type {
  AssembledTransaction,
  TransactionOutput,
} from '#chains/bitcoin/encoding/assemble-transaction.js';
import { doubleSha256, displayHashOf } from '#chains/bitcoin/encoding/wire-bytes.js';
import { BitcoinRefusal, type BitcoinRpc } from './bitcoin-rpc.js';

type Choice = 'due' | 'all' | 'nothing';

export interface Mining {
  readonly blocks?: number;
  /** Timestamp of the blocks, within the consensus rules (default: the miner's clock). */
  readonly time?: Date;
  /**
   * Transactions to include (default: `due`).
   * - `due`: those that pay `LEAST_FEE_RATE` or have waited for an hour.
   * - `all`: the entire mempool.
   * - `nothing`: only a coinbase, so the mempool keeps waiting.
   */
  readonly take?: Choice | readonly AssembledTransaction[];
  /** Parent of the first block (default: the newest block). */
  readonly on?: { readonly hash: string; readonly height: number };
  /** Output script of the coinbases (default: spendable by anyone). */
  readonly payTo?: string;
}

export interface MinedBlock {
  readonly height: number;
  readonly hash: string;
  readonly stamp: number;
  /** Ids, without the coinbase. */
  readonly transactions: readonly string[];
}

/** Minimum fee rate for the next block, in satoshi per virtual byte. */
export const LEAST_FEE_RATE = 2;
/** Delay before the miner includes a transaction with a lower fee rate. */
const PATIENCE_MS = 3_600_000;

/** OP_TRUE: anyone can spend the output. */
const NOBODY = '51';
const FIRST_REWARD = 5_000_000_000n;
/** Blocks between reward halvings on regtest. */
const HALVING_BLOCKS = 150;
/** Number of timestamps in the median time. */
const MEDIAN_OF = 11;
/** Below the consensus limit, with room for a coinbase. */
const MOST_BYTES = 900_000;

export interface WaitingTransaction {
  readonly vsize: number;
  /** In BTC, from btcd. Bitcoin Core returns `fees.base` instead. */
  readonly fee?: number;
  readonly fees?: { readonly base: number };
  readonly depends: readonly string[];
}

/** Mines blocks on demand on a regtest node. The caller chooses their time, parent and contents. */
export class BitcoinMiner {
  private mark = 0;
  /** The newest block mined by this miner. */
  private last: string | undefined;
  /** Block headers by hash. They never change. */
  private readonly headers = new LRUCache<string, Buffer>({ max: 500 });

  /** When the miner first saw each transaction in the mempool. */
  private seen = new Map<string, number>();

  /**
   * @param now default time of blocks
   * @param keep called with each block before the node receives it
   */
  constructor(
    readonly rpc: BitcoinRpc,
    private readonly now: () => Date,
    private readonly keep: (block: Uint8Array) => void = () => undefined,
  ) {}

  /** @throws BitcoinRefusal if the node rejects the block or is still restoring its blocks */
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

  /** The chain's clock in seconds since 1970: the median timestamp of the block and its ten predecessors. */
  async medianTime(hash: string): Promise<number> {
    const stamps: number[] = [];
    for (let at = hash; stamps.length < MEDIAN_OF && !/^0+$/.test(at);) {
      const header = await this.header(at);
      stamps.push(header.readUInt32LE(68));
      at = displayHashOf(header.subarray(4, 36));
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

  /** Polls the mempool, which starts the waiting time of transactions with low fees. */
  async look(): Promise<Record<string, WaitingTransaction>> {
    const pool = await this.rpc.call<Record<string, WaitingTransaction>>('getrawmempool', true);
    const now = this.now().getTime();
    this.seen = new Map(Object.keys(pool).map((txid) => [txid, this.seen.get(txid) ?? now]));
    return pool;
  }

  /** Transactions of the mempool, in dependency order. */
  private async waiting(choice: Choice): Promise<AssembledTransaction[]> {
    if (choice === 'nothing') return [];
    const pool = await this.look();
    const patient = this.now().getTime() - PATIENCE_MS;
    const isDue = (txid: string) => feeRate(pool[txid]!) >= LEAST_FEE_RATE || this.seen.get(txid)! <= patient;
    const taken = inOrder(pool, choice === 'all' ? () => true : isDue);
    const raw = await this.rpc.calls<string>(taken.map((txid) => ['getrawtransaction', txid, 0]));
    return raw.map((hex, i) => {
      const bytes = Buffer.from(hex, 'hex');
      return { txid: taken[i]!, wtxid: displayHashOf(doubleSha256(bytes)), bytes };
    });
  }

  private async submit(block: AssembledBlock): Promise<void> {
    this.keep(block.bytes);
    const refusal = await this.rpc.call<string | null>('submitblock', block.bytes.toString('hex'));
    // Bitcoin Core returns this for a valid block that is not on the best chain yet.
    if (refusal !== null && refusal !== 'inconclusive')
      throw new BitcoinRefusal(`The node rejects the block ${block.hash}: ${refusal}`);
    this.last = block.hash;
  }
}

/** The maximum coinbase amount without fees. The miner does not collect fees. */
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
    // An ancestor that is not in the mempool is already in a block.
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

/** Satoshi per virtual byte. */
function feeRate({ vsize, fee, fees }: WaitingTransaction): number {
  return Math.round((fees?.base ?? fee ?? 0) * 1e8) / vsize;
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
