import { setTimeout as pause } from 'node:timers/promises';
import type { AssembledTransaction } from '#chains/bitcoin/encoding/assemble-transaction.js';
import { doubleSha256, shownHash } from '#chains/bitcoin/encoding/wire-bytes.js';
import { BitcoinMiner, type MinedBlock } from './bitcoin-miner.js';
import { BitcoinRpc } from './bitcoin-rpc.js';
import type { KeptBlocks } from './kept-blocks.js';
import { BitcoinPayerWallet } from './payer-wallet.js';
import { WitnessKey } from './witness-key.js';

export interface ReplacedBlocks {
  /** Heights that have another block now, in order. */
  readonly changed: readonly number[];
  /** Ids of transactions of the replaced blocks that are in no block now. They are in the mempool. */
  readonly dropped: readonly string[];
}

/** Rewards are halved every 150 blocks: those of the first 149 are fifty coins each, the wallet's for good. */
const WALLET_BLOCKS = 149;
/** At this height the wallet's blocks can be spent, also after a reorganisation. */
const FIRST_BLOCKS = 400;
/** Between the stamps of those, which end with the present. */
const FIRST_EVERY_MS = 10_000;
/** The chain's clock is a median of eleven stamps. */
const CLOCK_BLOCKS = 11;
/** A chain whose clock is behind by more is brought to the present time at its start. */
const BEHIND_MS = 600_000;
const MIN_DEPTH_LEFT = WALLET_BLOCKS + 100;

/** The sandbox's Bitcoin: its blocks come by themselves, and others at will; its wallet pays. */
export class SandboxBitcoin {
  readonly rpc: BitcoinRpc;
  readonly wallet: BitcoinPayerWallet;
  readonly miner: BitcoinMiner;
  private aheadMs = 0;
  private readonly stopping = new AbortController();
  private mining: Promise<void> = Promise.resolve();
  /** Changes of the chain follow one another. */
  private last: Promise<unknown> = Promise.resolve();

  /** @param url of a regtest node @param key the wallet's @param kept absent where the node keeps its chain itself */
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

  /** Mines the wallet's coins on a new chain, and brings an old one's clock to the time. @param time the service's */
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

  /** Mines every so many seconds until `stop`; a node that is restarted meanwhile misses a block. */
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

  /** The clock of the chain. */
  readonly chainTime = async (): Promise<Date> => {
    const { hash } = await this.miner.tip();
    return new Date((await this.miner.medianTime(hash)) * 1_000);
  };

  /** The time of the service: it goes on from where it was set. */
  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  /** Brings the chain's clock to the time, from which blocks go on. */
  advanceTo(time: Date): Promise<MinedBlock[]> {
    return this.inTurn(async () => {
      await this.miner.look();
      this.aheadMs = Math.max(this.aheadMs, time.getTime() - Date.now());
      return this.miner.mine({ blocks: CLOCK_BLOCKS, time });
    });
  }

  /**
   * Mines a longer chain beside the newest blocks, which takes their place.
   * @param keep whether the new blocks hold the old ones' transactions
   * @throws RangeError where the chain is too short
   */
  reorganise(depth: number, keep: boolean): Promise<ReplacedBlocks> {
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
      // One more than it replaces: the chain of more work counts.
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
          return { txid: txids[i]!, wtxid: shownHash(doubleSha256(bytes)), bytes };
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
