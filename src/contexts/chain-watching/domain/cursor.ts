import type { PaymentRequestId } from '#shared/kernel/ids.js';

/** A block that the watcher has read. Hashes are lower-case hex. */
export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
  /** Fingerprint of the endpoint that returned the contents of the block, as in `ReadBlock.readBy`. */
  readonly readBy?: string | null;
}

export interface Cursor {
  readonly head: Omit<Block, 'parentHash'>;
  /** The newest final block that passed the confirmation read. Null before the first one. */
  readonly finalNumber: number | null;
  /** A sentence that describes the disagreement between endpoints. Null while they agree. */
  readonly disagreement: string | null;
  /** The native balances of all open requests are known up to this time. Null before the first comparison. */
  readonly balancesKnownAt: Date | null;
  /** The unfinished balance comparison round. Null if the next iteration begins a new round. */
  readonly balanceRound: BalanceRound | null;
  /** Mempools were read completely up to this time. Null if the network does not follow pending transfers. */
  readonly pendingReadAt: Date | null;
}

/**
 * A round that compares the balances of all open requests. Takes several iterations if there are many requests.
 * `to`: the last request compared.
 */
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

/** A change of the cursor: moves it forward over blocks that were read, or only updates its other fields. */
export interface CursorMove {
  readonly from: Cursor;
  /** The blocks read after the cursor, contiguous. May be empty. */
  readonly blocks: readonly Block[];
  readonly finalNumber: number | null;
  readonly disagreement: string | null;
  /** Maximum lag and maximum duration of a disagreement. Beyond it, new payment requests are rejected. */
  readonly maxLagSeconds: number;
  /** New value of the cursor field. Null if the network collects no native coin. */
  readonly balancesKnownAt: Date | null;
  readonly balanceRound: BalanceRound | null;
  readonly pendingReadAt: Date | null;
}

/** Name of the lease that permits a process to move a network's cursor. */
export function watcherLease(network: string): string {
  return `watcher:${network}`;
}
