import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { OwnedTransfer } from './recorded-transfers.js';

/** The parts of a request that decide when a transfer was received and how many confirmations it needs. */
export interface RequestTerms {
  readonly expiresAt: Date;
  /** Smallest units, by unique asset id. */
  readonly amounts: ReadonlyMap<string, bigint>;
}

export interface SeenTransfer extends OwnedTransfer {
  readonly canonical: boolean;
}

/** The part of a pending canonical transfer that a mempool check needs. */
export interface WaitingTransfer {
  readonly id: string;
  readonly transactionHash: string;
  readonly lapsesAt: Date;
  /** The time since which no endpoint has held the transfer. Null while an endpoint holds it. */
  readonly missingSince: Date | null;
}

/** Transfers of one network that were seen before they were in a block, across all tenants. Used by the network's watcher. */
export abstract class SeenTransfers {
  /** Terms by request, including pruned requests. */
  abstract terms(requests: readonly PaymentRequestId[]): Promise<Map<PaymentRequestId, RequestTerms>>;
  /**
   * Transfers of these transactions that were ever seen, and pending transfers whose evidence contains one of the `conflicting`
   * parts. Ordered by `lapsesAt`, so the last transfer of an output has the latest assigned time. One indexed statement.
   * @param conflicting see `PendingTransfers.conflictingParts`
   */
  abstract known(
    network: string,
    transactionHashes: readonly string[],
    conflicting: readonly Derivation[],
  ): Promise<SeenTransfer[]>;
  /**
   * Pending transfers, ordered by `lapsesAt`: at most `limit` that lapse before `lapsedBefore`, and at most `limit` others that
   * follow `after`. A null `after` starts at the first transfer.
   */
  abstract waiting(
    network: string,
    lapsedBefore: Date,
    after: Pick<WaitingTransfer, 'id' | 'lapsesAt'> | null,
    limit: number,
  ): Promise<WaitingTransfer[]>;
  abstract evidence(
    transferIds: readonly string[],
  ): Promise<Map<string, { readonly transactionHash: string; readonly evidence: Derivation }>>;
  /**
   * Records, in the caller's unit of work, which transfers no endpoint holds and which an endpoint holds again.
   * @param alsoChanged transfers that the unit of work changes next: their requests are locked together with the others, in one
   * order
   */
  abstract noteMissing(
    noted: { readonly missing: readonly string[]; readonly back: readonly string[] },
    alsoChanged: readonly string[],
  ): Promise<void>;
}
