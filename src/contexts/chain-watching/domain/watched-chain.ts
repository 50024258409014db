import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { ChainProgress } from '../contract/incoming-transfer.js';
import { ReadProgress } from '../contract/reading-progress.js';

/** A block that was read. Hashes are lower-case hex. */
export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
  /** The endpoint that returned the block's contents, as in `ReadBlock.readBy`. */
  readonly readBy?: string | null;
}

export interface Cursor {
  readonly head: Omit<Block, 'parentHash'>;
  /** The newest final block that passed the confirmation read. Null before there is one. */
  readonly finalNumber: number | null;
  /** A sentence that describes the disagreement between endpoints. Null while they agree. */
  readonly disagreement: string | null;
  /** The native balances of all open requests are known up to this time. Null before the first comparison. */
  readonly balancesKnownAt: Date | null;
  /** The unfinished comparison of all open requests. Null if the next iteration begins a new one. */
  readonly balanceRound: BalanceRound | null;
  /** All pending transfers are known up to this time. Null if the network does not follow them. */
  readonly pendingReadAt: Date | null;
}

/** A comparison of the balances of all open requests. Takes several iterations if there are many requests. */
export interface BalanceRound {
  readonly to: PaymentRequestId;
  /** Timestamp of the last block of the iteration that began the round. */
  readonly beganAt: Date;
}

/** Thrown if another process has moved the cursor. The unit of work is rolled back. */
export class CursorMoved extends Error {
  constructor(network: string) {
    super(`The cursor of ${network} was moved by another process.`);
    this.name = 'CursorMoved';
  }
}

export interface Step {
  readonly from: Cursor;
  /** Contiguous. May be empty. */
  readonly blocks: readonly Block[];
  readonly finalNumber: number | null;
  readonly disagreement: string | null;
  /** New requests are rejected while the network lags or its endpoints disagree for longer than this. */
  readonly maxLagSeconds: number;
  /** The cursor's new value. Null if the network collects no native coin. */
  readonly balancesKnownAt: Date | null;
  readonly balanceRound: BalanceRound | null;
  readonly pendingReadAt: Date | null;
}

/**
 * The stored part of a network's chain. Methods that move a cursor need a unit of work and the epoch of the network's lease. They
 * throw LeaseLost or CursorMoved if another process has taken over.
 */
export abstract class WatchedChain extends ReadProgress {
  abstract cursor(network: string): Promise<Cursor | null>;
  /** The block read at this height. Null if it was pruned. */
  abstract block(network: string, number: number): Promise<Block | null>;
  /** The blocks read at these heights, by height. Pruned blocks are absent. */
  abstract blocks(network: string, numbers: readonly number[]): Promise<Map<number, Block>>;
  /** Starts reading after `block`, which is final. Does nothing if a cursor exists. */
  abstract begin(network: string, block: Block, pendingReadAt: Date | null, epoch: bigint): Promise<void>;
  /** Moves the cursor forward, together with finality, which never decreases here. @returns the progress used to evaluate requests */
  abstract advance(network: string, step: Step, epoch: bigint): Promise<ChainProgress>;
  /** Moves the cursor back to `ancestor` and deletes the blocks above it. Balances are known only up to `ancestor` afterwards. */
  abstract rewind(network: string, from: Cursor, ancestor: Block, epoch: bigint): Promise<void>;
  /** Records a disagreement between endpoints in the caller's unit of work. Does not move the cursor. */
  abstract recordDisagreement(network: string, disagreement: string, epoch: bigint): Promise<void>;
  /**
   * Deletes at most `limit` blocks that are more than `depth` below finality, or below the head if nothing is final yet. Covers all
   * networks. Needs neither a unit of work nor an epoch, because no reading uses these blocks.
   * @returns the number of deleted blocks
   */
  abstract prune(depth: number, limit: number): Promise<number>;
}

/** Name of the lease that permits a process to move a network's cursor. */
export function watcherLease(network: string): string {
  return `watcher:${network}`;
}
