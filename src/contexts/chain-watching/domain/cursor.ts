import type { PaymentRequestId } from '#shared/kernel/ids.js';

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

/** Moves the cursor forward over blocks that were read, or only updates its other fields. */
export interface CursorMove {
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

/** Name of the lease that permits a process to move a network's cursor. */
export function watcherLease(network: string): string {
  return `watcher:${network}`;
}
