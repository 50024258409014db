import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { OwnedTransfer } from './recorded-transfers.js';

/** A request's part in dating what came to it, and in how deep that must be. */
export interface Asked {
  readonly expiresAt: Date;
  /** Smallest units, by unique asset id. */
  readonly amounts: ReadonlyMap<string, bigint>;
}

export interface SeenTransfer extends OwnedTransfer {
  readonly canonical: boolean;
}

/** A canonical transfer that is in no block, as far as a look at the mempools needs it. */
export interface WaitingTransfer {
  readonly id: string;
  readonly transactionHash: string;
  readonly lapsesAt: Date;
  /** Since when no endpoint holds it; null while one does. */
  readonly missingSince: Date | null;
}

/** Transfers of one network that were seen before they were in a block, of all tenants: for its watcher. */
export abstract class SeenTransfers {
  /** Pruned ones are among them. */
  abstract asked(requests: readonly PaymentRequestId[]): Promise<Map<PaymentRequestId, Asked>>;
  /**
   * Transfers of these transactions that were ever seen, and those in no block whose evidence contains one of these parts, in the
   * order in which they lapse: the last one of a place has the time that it was given last. One statement, by index.
   * @param conflicting see `PendingTransfers.conflictingParts`
   */
  abstract known(
    network: string,
    transactionHashes: readonly string[],
    conflicting: readonly Derivation[],
  ): Promise<SeenTransfer[]>;
  /**
   * Transfers in no block: at most `limit` that lapse before `lapsedBefore`, and at most `limit` of the others behind `after`, from
   * the first one on where it is null. In the order in which they lapse.
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
   * In the caller's unit of work: no endpoint holds the ones any more, one holds the others again.
   * @param alsoChanged transfers that the unit of work changes next: their requests are locked with those of the others, in one order
   */
  abstract noteMissing(
    noted: { readonly missing: readonly string[]; readonly back: readonly string[] },
    alsoChanged: readonly string[],
  ): Promise<void>;
}
