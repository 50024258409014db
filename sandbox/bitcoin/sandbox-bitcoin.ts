import { setTimeout as pause } from 'node:timers/promises';
import type { AssembledTransaction } from '#chains/bitcoin/encoding/assemble-transaction.js';
import { doubleSha256, displayHashOf } from '#chains/bitcoin/encoding/wire-bytes.js';
import { BitcoinMiner, type MinedBlock } from './bitcoin-miner.js';
import { BitcoinRpc } from './bitcoin-rpc.js';
import type { KeptBlocks } from './kept-blocks.js';
import { BitcoinPayerWallet } from './payer-wallet.js';
import { WitnessKey } from './witness-key.js';

export interface ReplacedBlocks {
  /** Heights whose block was replaced, in order. */
  readonly changed: readonly number[];
  /** Ids of transactions that are now in no block, but in the mempool. */
  readonly dropped: readonly string[];
}

/** Rewards halve every 150 blocks, so the first 149 blocks give the wallet fifty coins each. */
const WALLET_BLOCKS = 149;
/** Height at which the wallet's coinbases are mature, even after a reorganization. */
const FIRST_BLOCKS = 400;
/** Time between the timestamps of the first blocks. The last one has the current time. */
const FIRST_EVERY_MS = 10_000;
/** Enough blocks to replace all timestamps of the median time. */
const CLOCK_BLOCKS = 11;
/** A restarted chain whose clock lags more than this is moved to the current time. */
const BEHIND_MS = 600_000;
const MIN_DEPTH_LEFT = WALLET_BLOCKS + 100;

/** A Bitcoin chain that is mined at intervals and on demand, with a wallet to pay from. */
export class SandboxBitcoin {
  readonly rpc: BitcoinRpc;
  readonly wallet: BitcoinPayerWallet;
  readonly miner: BitcoinMiner;
  private aheadMs = 0;
  private readonly stopping = new AbortController();
  private mining: Promise<void> = Promise.resolve();
  /** Serializes changes of the chain. */
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param key private key of the wallet
   * @param kept absent if the node stores its own chain
   */
  constructor(
    url: string,
    key: string,
    private readonly blockSeconds: number,
    kept?: KeptBlocks,
  ) {
    this.rpc = new BitcoinRpc(url);
    this.wallet = new BitcoinPayerWallet(this.rpc, new WitnessKey(key));
    const keep = kept && ((block: Uint8Array) => kept.add(block));
    this.miner = new BitcoinMiner(this.rpc, () => this.now(), keep);
  }

  /**
   * Mines the wallet's coins on a new chain, or updates the clock of an old chain.
   * @param time the service's time
   */
  async prepare(time: Date): Promise<void> {
    this.aheadMs = Math.max(0, time.getTime() - Date.now());
    const { height, hash } = await this.miner.tip();
    for (let next = height + 1; next <= FIRST_BLOCKS; next += 1) {
      const payTo = next <= WALLET_BLOCKS ? { payTo: this.wallet.key.script } : {};
      const before = (FIRST_BLOCKS - next) * FIRST_EVERY_MS;
      await this.miner.mine({ ...payTo, time: new Date(time.getTime() - before), take: 'nothing' });
    }
    const clock = (await this.miner.medianTime(hash)) * 1_000;
    if (height >= FIRST_BLOCKS && clock < time.getTime() - BEHIND_MS)
      await this.miner.mine({ blocks: CLOCK_BLOCKS });
  }

  /** Mines a block at each interval until `stop`. Skips a block while the node restarts. */
  startMining(): void {
    const { signal } = this.stopping;
    const mine = async () => {
      while (!signal.aborted) {
        await pause(this.blockSeconds * 1_000, undefined, { signal }).catch(() => undefined);
        if (!signal.aborted) await this.inTurn(() => this.miner.mine()).catch(() => undefined);
      }
    };
    this.mining = mine();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.mining;
  }

  readonly chainTime = async (): Promise<Date> => {
    const { hash } = await this.miner.tip();
    return new Date((await this.miner.medianTime(hash)) * 1_000);
  };

  /** The service's time, extrapolated from the last `prepare` or `advanceTo`. */
  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  /** Moves the chain's clock to a time, from which later blocks continue. */
  advanceTo(time: Date): Promise<MinedBlock[]> {
    return this.inTurn(async () => {
      await this.miner.look();
      this.aheadMs = Math.max(this.aheadMs, time.getTime() - Date.now());
      return this.miner.mine({ blocks: CLOCK_BLOCKS, time });
    });
  }

  /**
   * Replaces the newest blocks by a longer chain.
   * @param keep keeps their transactions
   * @throws RangeError if the chain is too short
   */
  reorganize(depth: number, keep: boolean): Promise<ReplacedBlocks> {
    return this.inTurn(async () => {
      const { height } = await this.miner.tip();
      const first = height - depth + 1;
      if (first <= MIN_DEPTH_LEFT) {
        const most = height - MIN_DEPTH_LEFT;
        throw new RangeError(
          `At most ${most} blocks can be replaced now, because the wallet's coins are in the earlier blocks.`,
        );
      }
      const heights = Array.from({ length: depth }, (_, i) => first + i);
      const hashes = await this.rpc.calls<string>([first - 1, ...heights].map((at) => ['getblockhash', at]));
      const replaced = await this.transactionsOf(hashes.slice(1));
      let on = { hash: hashes[0]!, height: first - 1 };
      // The chain with the most work wins, so it needs one more block.
      for (let i = 0; i <= depth; i += 1) {
        const take = (keep && replaced[i]) || 'nothing';
        const [block] = await this.miner.mine({ on, take });
        on = block!;
      }
      return { changed: heights, dropped: keep ? [] : replaced.flat().map(({ txid }) => txid) };
    });
  }

  private async transactionsOf(hashes: readonly string[]): Promise<AssembledTransaction[][]> {
    const blocks = await this.rpc.calls<{ tx: string[] }>(hashes.map((hash) => ['getblock', hash, 1]));
    return Promise.all(
      blocks.map(async ({ tx: [, ...txids] }) => {
        const raw = await this.rpc.calls<string>(txids.map((txid) => ['getrawtransaction', txid, 0]));
        return raw.map((hex, i) => {
          const bytes = Buffer.from(hex, 'hex');
          return { txid: txids[i]!, wtxid: displayHashOf(doubleSha256(bytes)), bytes };
        });
      }),
    );
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }
}
