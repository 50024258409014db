import type { Recipient } from '#contexts/networks/contract/deposit-addresses.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { FinalBlock, RecordedTransfer } from './incoming-transfer.js';

/** Evidence that confirms a transfer: balances for kind `balance`, otherwise the transaction's receipt. */
export type TransferEvidence = 'receipt' | 'balances';

export interface TransferOfRequest {
  readonly paymentRequestId: PaymentRequestId;
  readonly transfer: RecordedTransfer;
}

export interface RequestsWithFinalizedTransfers {
  readonly requests: readonly PaymentRequestId[];
  readonly more: boolean;
}

/** Covers all tenants of one network. */
export abstract class RecordedTransfers {
  /** Finds the requests that own these deposit addresses, by `recipientKey`. */
  abstract findOwners(
    network: string,
    recipients: readonly Recipient[],
  ): Promise<Map<string, PaymentRequestId>>;
  /** Returns the canonical transfers in these blocks, except those of kind `balance`. */
  abstract transfersBetween(network: string, from: number, to: number): Promise<TransferOfRequest[]>;
  /** Returns the last block up to which the blocks from `from` contain at most `limit` canonical transfers. */
  abstract lastBlockWithin(network: string, from: number, to: number, limit: number): Promise<number>;
  /** Returns canonical transfers that await a cross-check and whose id is greater than `after`, ordered by id. */
  abstract awaitingCrossCheck(
    network: string,
    evidence: TransferEvidence,
    after: string,
    limit: number,
  ): Promise<TransferOfRequest[]>;
  /** Returns the canonical transfers of kind `balance` to these addresses, in block `from` or later. */
  abstract internalTransfersFrom(
    network: string,
    addresses: readonly string[],
    from: number,
  ): Promise<TransferOfRequest[]>;
  /** Runs in the unit of work that moved finality. Oldest transfers first. Locks their requests first. */
  abstract finalize(
    network: string,
    final: FinalBlock,
    limit: number,
  ): Promise<RequestsWithFinalizedTransfers>;
  /** Records, in the caller's unit of work, that these transfers passed their cross-check. */
  abstract confirmCrossChecked(transferIds: readonly string[]): Promise<void>;
  /** Transfers of ended requests that are not part of the outcome become deposits. */
  abstract uncountTransfersOfEndedRequests(limit: number): Promise<boolean>;
  /**
   * Marks these transfers as not canonical. Locks their requests first.
   * @returns the transfers as they were recorded before, by request
   */
  abstract markOrphaned(transferIds: readonly string[]): Promise<Map<PaymentRequestId, RecordedTransfer[]>>;
  /** Marks all transfers in blocks above `blockNumber` as not canonical, in the same way as `drop`. */
  abstract markOrphanedAbove(
    network: string,
    blockNumber: number,
  ): Promise<Map<PaymentRequestId, RecordedTransfer[]>>;
  /** Lowest block with at most `limit` canonical transfers above it. Null if `blockNumber` is such a block. */
  abstract blockAtLimit(network: string, blockNumber: number, limit: number): Promise<number | null>;
}
