import type { FinalityTag } from '#shared/kernel/asset.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';

/** Hashes are lower-case hex. */
export interface Block {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
  readonly readBy?: string | null;
}

export interface Cursor {
  readonly head: Omit<Block, 'parentHash'>;
  readonly finalNumber: number | null;
  readonly disagreement: string | null;
  readonly balancesKnownAt: Date | null;
  readonly balanceRound: BalanceComparisonRound | null;
  readonly pendingReadAt: Date | null;
}

/** `to`: the last request compared. */
export interface BalanceComparisonRound {
  readonly to: PaymentRequestId;
  /** Timestamp of the last block of the iteration that began the round. */
  readonly beganAt: Date;
}

export class CursorMoved extends Error {
  constructor(network: string) {
    super(`The cursor of ${network} was moved by another process.`);
    this.name = 'CursorMoved';
  }
}

/** Numbers of the newest blocks with these tags. Null: no newer one is known. */
export type FinalityTagBlocks = Readonly<Record<FinalityTag, number | null>>;

export interface CursorMove {
  readonly from: Cursor;
  /** The blocks read after the cursor, contiguous. */
  readonly blocks: readonly Block[];
  readonly finalNumber: number | null;
  readonly tagged: FinalityTagBlocks;
  readonly disagreement: string | null;
  /** New payment requests are rejected beyond this lag or duration of a disagreement. */
  readonly maxLagSeconds: number;
  readonly balancesKnownAt: Date | null;
  readonly balanceRound: BalanceComparisonRound | null;
  readonly pendingReadAt: Date | null;
}

/** Name of the lease that permits a process to move a network's cursor. */
export function watcherLeaseName(network: string): string {
  return `watcher:${network}`;
}
