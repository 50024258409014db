import type { Recipient } from '#contexts/networks/contract/deposit-addresses.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { RecordedTransfer } from './incoming-transfer.js';

/** The evidence of a transfer: the balances of its address for kind `balance`, the receipt of its transaction for the other kinds. */
export type Evidence = 'receipt' | 'balances';

export interface OwnedTransfer {
  readonly paymentRequestId: PaymentRequestId;
  readonly transfer: RecordedTransfer;
}

export interface Finalized {
  /** The requests of the marked transfers. A later iteration may mark more transfers of these requests. */
  readonly requests: readonly PaymentRequestId[];
  readonly more: boolean;
}

/** Transfers to the deposit addresses of one network, across all tenants. Used by the network's watcher. */
export abstract class RecordedTransfers {
  /** The requests that own these deposit addresses, by `recipientKey`. Addresses of other parties are absent. One indexed statement. */
  abstract owners(network: string, recipients: readonly Recipient[]): Promise<Map<string, PaymentRequestId>>;
  /** Canonical transfers in these blocks, except those of kind `balance`. */
  abstract between(network: string, from: number, to: number): Promise<OwnedTransfer[]>;
  /** The last block up to which the range has at most `limit` canonical transfers. Returns `from` if that block already has more. */
  abstract lastBlockWithin(network: string, from: number, to: number, limit: number): Promise<number>;
  /** Canonical transfers that await a cross-check and whose id follows `after`, ordered by id. One indexed statement. */
  abstract awaitingCrossCheck(
    network: string,
    evidence: Evidence,
    after: string,
    limit: number,
  ): Promise<OwnedTransfer[]>;
  /** Canonical transfers of kind `balance` to these addresses, in that block or a later one. */
  abstract balancesFrom(
    network: string,
    addresses: readonly string[],
    from: number,
  ): Promise<OwnedTransfer[]>;
  /**
   * Marks at most `limit` transfers that have become final, oldest first. Runs in the unit of work that moved finality. Locks the
   * requests first. The limit exists because anyone can send any number of transfers.
   */
  abstract finalize(network: string, finalNumber: number, limit: number): Promise<Finalized>;
  /** Records, in the caller's unit of work, that these transfers passed their cross-check. They become final when their block does. */
  abstract confirmCrossChecked(transferIds: readonly string[]): Promise<void>;
  /**
   * Stops counting at most `limit` transfers that belong to ended requests but not to their outcome, so that they become deposits.
   * Covers all networks.
   * @returns whether there were any
   */
  abstract uncountRest(limit: number): Promise<boolean>;
  /**
   * Marks transfers that no endpoint shows as not canonical, in the caller's unit of work. Locks their requests first.
   * @returns the transfers as they were recorded before, by request
   */
  abstract drop(transferIds: readonly string[]): Promise<Map<PaymentRequestId, RecordedTransfer[]>>;
  /** Drops the canonical transfers in blocks above `blockNumber`, as `drop` does. */
  abstract dropAbove(
    network: string,
    blockNumber: number,
  ): Promise<Map<PaymentRequestId, RecordedTransfer[]>>;
  /** @returns the block above which there are at most `limit` canonical transfers; null if there are no more above `blockNumber` */
  abstract blockAtLimit(network: string, blockNumber: number, limit: number): Promise<number | null>;
}
