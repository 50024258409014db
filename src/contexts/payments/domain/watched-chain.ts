import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import type { ChainProgress } from './outcome.js';
import type { RecordedTransfer } from './transfer.js';

/** A block that was read. Hashes in lower-case hex. */
export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
}

/** How far a network was read. */
export interface Cursor {
  readonly head: Omit<Block, 'parentHash'>;
  readonly finalNumber: number | null;
}

/** Thrown when somebody else moved a cursor meanwhile; nothing of the unit of work is kept. */
export class CursorMoved extends Error {
  constructor(network: string) {
    super(`The cursor of ${network} was moved by another process.`);
    this.name = 'CursorMoved';
  }
}

/**
 * What the service remembers of a network's chain. Whatever moves a cursor wants a unit of work and the epoch of the
 * network's lease, and fails (LeaseLost, CursorMoved) when another process has taken over.
 */
export abstract class WatchedChain {
  abstract cursor(network: string): Promise<Cursor | null>;
  /** The block that was read at this height, or null when it is below what is kept. */
  abstract block(network: string, number: number): Promise<Block | null>;
  /** Begins reading behind `block`. Does nothing where a cursor exists. */
  abstract begin(network: string, block: Block, epoch: bigint): Promise<void>;
  /**
   * Moves the cursor over `blocks` (contiguous, may be none) and finality up to `finalNumber`.
   * @returns what requests are to be judged by
   */
  abstract advance(
    network: string,
    from: Cursor,
    blocks: readonly Block[],
    finalNumber: number | null,
    epoch: bigint,
  ): Promise<ChainProgress>;
  /**
   * Takes the cursor back to `ancestor`, forgets the blocks above it and un-counts the transfers in them.
   * @returns these transfers as they were recorded before, by the request they were sent to, which is to lose them
   */
  abstract rewind(
    network: string,
    from: Cursor,
    ancestor: Block,
    epoch: bigint,
  ): Promise<Map<PaymentRequestId, RecordedTransfer[]>>;
  /** Whose deposit addresses these are; foreign addresses are absent. One indexed statement. */
  abstract owners(network: string, addresses: readonly string[]): Promise<Map<string, PaymentRequestId>>;
  /**
   * Marks transfers that have become final, in `advance`'s unit of work: at least `limit` of them where so many wait,
   * the oldest first and each request's together. @returns for each the request it was sent to
   */
  abstract finalize(network: string, finalNumber: number, limit: number): Promise<PaymentRequestId[]>;
  /** How far these networks were read; those of which nothing was are absent. */
  abstract progress(networks: readonly string[]): Promise<Map<string, ChainProgress>>;
  /**
   * Open requests to be paid on this network whose deadline the reading has passed, oldest first; without those that
   * also showed an address on one of `others` that is not read so far.
   */
  abstract pastDeadline(
    network: string,
    others: readonly string[],
    progress: ChainProgress,
    limit: number,
  ): Promise<PaymentRequestId[]>;
  /**
   * Forgets blocks of all networks that lie more than `depth` below finality, or below the head where nothing is final
   * yet. Wants neither unit of work nor epoch: no reading ever needs these blocks, whoever forgets them.
   */
  abstract prune(depth: number): Promise<number>;
}
