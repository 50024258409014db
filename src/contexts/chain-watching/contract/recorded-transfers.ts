import type { Recipient } from '#contexts/networks/contract/deposit-addresses.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { RecordedTransfer } from './incoming-transfer.js';

/** The proof of a transfer: for kind `balance` the balances of its address, for the others its transaction's receipt. */
export type Evidence = 'receipt' | 'balances';

export interface OwnedTransfer {
  readonly paymentRequestId: PaymentRequestId;
  readonly transfer: RecordedTransfer;
}

/** The transfers that a turn marked as final. */
export interface Finalized {
  /** The requests of the marked transfers. Other transfers of theirs may be left for a later turn. */
  readonly requests: readonly PaymentRequestId[];
  /** The limit was reached, so there may be more. */
  readonly more: boolean;
}

/** Transfers to the deposit addresses of one network, of all tenants: for its watcher. */
export abstract class RecordedTransfers {
  /** The requests whose deposit addresses these are, by `recipientKey`; foreign ones are absent. One indexed statement. */
  abstract owners(network: string, recipients: readonly Recipient[]): Promise<Map<string, PaymentRequestId>>;
  /** Canonical ones in these blocks that their transactions show: of every kind but `balance`. */
  abstract between(network: string, from: number, to: number): Promise<OwnedTransfer[]>;
  /** The last of these blocks up to which there are at most `limit` canonical ones; `from` where that alone has more. */
  abstract lastBlockWithin(network: string, from: number, to: number, limit: number): Promise<number>;
  /** Canonical ones that await a cross-check, in the order of their ids behind `after`. One indexed statement. */
  abstract awaitingCrossCheck(
    network: string,
    evidence: Evidence,
    after: string,
    limit: number,
  ): Promise<OwnedTransfer[]>;
  /** Canonical ones of kind `balance` to these addresses, in that block or a later one. */
  abstract balancesFrom(
    network: string,
    addresses: readonly string[],
    from: number,
  ): Promise<OwnedTransfer[]>;
  /**
   * Marks transfers that have become final, in the unit of work that moved finality: at most `limit` of them, the
   * oldest first, since anyone can send any number. Locks their requests before.
   */
  abstract finalize(network: string, finalNumber: number, limit: number): Promise<Finalized>;
  /** These passed their cross-check, in the caller's unit of work: they are final once their block is. */
  abstract confirmCrossChecked(transferIds: readonly string[]): Promise<void>;
  /**
   * Transfers of ended requests that are no part of the outcome stop counting, so that they become deposits: at
   * most `limit` of them. Of every network.
   * @returns whether there were any
   */
  abstract uncountRest(limit: number): Promise<boolean>;
  /**
   * No endpoint shows these transfers: they are no longer canonical, in the caller's unit of work. Locks their requests before.
   * @returns the transfers as they were recorded before, by request
   */
  abstract drop(transferIds: readonly string[]): Promise<Map<PaymentRequestId, RecordedTransfer[]>>;
  /** Drops the canonical transfers in blocks above this one, as `drop` does. */
  abstract dropAbove(
    network: string,
    blockNumber: number,
  ): Promise<Map<PaymentRequestId, RecordedTransfer[]>>;
  /** @returns the block above which there are at most `limit` canonical transfers; null if there are no more above `blockNumber` */
  abstract blockAtLimit(network: string, blockNumber: number, limit: number): Promise<number | null>;
}
