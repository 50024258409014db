import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import type { RecordedTransfer } from './transfer.js';

/** Native coin that an address of ours paid out in a block. */
export interface RecordedPayout {
  readonly transactionHash: string;
  readonly logIndex: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly address: string;
  /** Smallest units. */
  readonly amount: bigint;
}

export interface OwnedTransfer {
  readonly paymentRequestId: PaymentRequestId;
  readonly transfer: RecordedTransfer;
}

/** What arrived at and left our addresses on one network, across all tenants: for its watcher. */
export abstract class RecordedTransfers {
  /** Whose deposit addresses these are; foreign addresses are absent. One indexed statement. */
  abstract owners(network: string, addresses: readonly string[]): Promise<Map<string, PaymentRequestId>>;
  /** Canonical ones of kind `log` and `call` in these blocks. */
  abstract between(network: string, from: number, to: number): Promise<OwnedTransfer[]>;
  /** The oldest canonical ones that a second endpoint has not confirmed yet. */
  abstract awaitingAgreement(network: string, limit: number): Promise<OwnedTransfer[]>;
  /**
   * Marks transfers that have become final, in the unit of work that moved finality: at least `limit` of them where so
   * many wait, the oldest first and each request's together. @returns for each the request it was sent to
   */
  abstract finalize(network: string, finalNumber: number, limit: number): Promise<PaymentRequestId[]>;
  /**
   * No endpoint shows these any more: they stop being canonical, in the caller's unit of work.
   * @returns as `WatchedChain.rewind` does
   */
  abstract drop(transferIds: readonly string[]): Promise<Map<PaymentRequestId, RecordedTransfer[]>>;
  /** Records payouts, each once. */
  abstract addPayouts(network: string, payouts: readonly RecordedPayout[]): Promise<void>;
}
