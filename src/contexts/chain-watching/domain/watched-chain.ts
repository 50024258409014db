import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { ChainProgress } from '../contract/incoming-transfer.js';
import { ReadProgress } from '../contract/reading-progress.js';

/** A block that was read. Hashes in lower-case hex. */
export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
  /** Names the endpoint that answered its contents, as `ReadBlock.readBy`. */
  readonly readBy?: string | null;
}

/** How far a network was read. */
export interface Cursor {
  readonly head: Omit<Block, 'parentHash'>;
  /** The newest block that can no longer disappear and was read a second time; null before there is one. */
  readonly finalNumber: number | null;
  /** A sentence on what endpoints disagree about; null while they agree. */
  readonly disagreement: string | null;
  /** Time up to which the native balances of all open requests are known; null before the first comparison. */
  readonly balancesKnownAt: Date | null;
  /** The comparison of all of them that has begun; null where the next turn begins one. */
  readonly balanceRound: BalanceRound | null;
  /** All transfers in no block are known up to then; null where they are not followed. */
  readonly pendingReadAt: Date | null;
}

/** A comparison of the balances of all open requests, which takes several turns where they are many. */
export interface BalanceRound {
  /** The last request that was compared. */
  readonly to: PaymentRequestId;
  /** Time of the last block of the turn in which it began. */
  readonly beganAt: Date;
}

/** Thrown when another process moved a cursor meanwhile; the unit of work is rolled back. */
export class CursorMoved extends Error {
  constructor(network: string) {
    super(`The cursor of ${network} was moved by another process.`);
    this.name = 'CursorMoved';
  }
}

/** One move of a cursor. */
export interface Step {
  readonly from: Cursor;
  /** Contiguous, may be none. */
  readonly blocks: readonly Block[];
  readonly finalNumber: number | null;
  readonly disagreement: string | null;
  /** The configured limit; new requests are refused while the network is further behind, or longer in disagreement. */
  readonly maxLagSeconds: number;
  /** The cursor's new value; null where no native coin is collected. */
  readonly balancesKnownAt: Date | null;
  readonly balanceRound: BalanceRound | null;
  readonly pendingReadAt: Date | null;
}

/**
 * The stored part of a network's chain. Every method that moves a cursor needs a unit of work and the epoch of the
 * network's lease, and throws LeaseLost or CursorMoved when another process has taken over.
 */
export abstract class WatchedChain extends ReadProgress {
  abstract cursor(network: string): Promise<Cursor | null>;
  /** The block that was read at this height, or null when it is below what is kept. */
  abstract block(network: string, number: number): Promise<Block | null>;
  /** The blocks that were read at these heights, by height; those below what is kept are absent. */
  abstract blocks(network: string, numbers: readonly number[]): Promise<Map<number, Block>>;
  /**
   * Begins reading behind `block`, which is final. Does nothing where a cursor exists.
   * @param pendingReadAt as in the cursor
   */
  abstract begin(network: string, block: Block, pendingReadAt: Date | null, epoch: bigint): Promise<void>;
  /** Moves the cursor over blocks, and finality, which never goes back here. @returns the progress by which requests are evaluated */
  abstract advance(network: string, step: Step, epoch: bigint): Promise<ChainProgress>;
  /** Moves the cursor back to `ancestor` and deletes the blocks above it. Balances are known only up to `ancestor` again. */
  abstract rewind(network: string, from: Cursor, ancestor: Block, epoch: bigint): Promise<void>;
  /** Records in the caller's unit of work what endpoints disagree about; the cursor stays. */
  abstract recordDisagreement(network: string, disagreement: string, epoch: bigint): Promise<void>;
  /**
   * Deletes at most `limit` blocks more than `depth` below finality, or below the head where nothing is final yet, of all
   * networks together. Needs neither unit of work nor epoch, since no reading needs these blocks.
   * @returns how many
   */
  abstract prune(depth: number, limit: number): Promise<number>;
}

/** Name of the lease whose holder alone moves a network's cursor. */
export function watcherLease(network: string): string {
  return `watcher:${network}`;
}
