import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';
import type { PaymentRate } from '#contexts/networks/contract/finality-depth.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { TransferOfRequest } from './recorded-transfers.js';

/** The parts of a request that decide when a transfer was received and how many confirmations it needs. */
export interface RequestDeadlineAndAmounts {
  readonly expiresAt: Date;
  /** Keyed by unique asset id. */
  readonly requested: ReadonlyMap<string, RequestedAssetAmount>;
}

export interface RequestedAssetAmount {
  /** Smallest units. */
  readonly amount: bigint;
  /** Absent if the request was priced in the asset. */
  readonly rate?: PaymentRate;
}

export interface KnownTransfer extends TransferOfRequest {
  readonly canonical: boolean;
}

export interface RecordedPendingTransfer {
  readonly id: string;
  readonly transactionHash: string;
  readonly lapsesAt: Date;
  readonly missingSince: Date | null;
}

/** Covers all tenants of one network. */
export abstract class PendingTransferRecords {
  /** Returns the terms by request, also for pruned requests. */
  abstract findRequestTerms(
    requests: readonly PaymentRequestId[],
  ): Promise<Map<PaymentRequestId, RequestDeadlineAndAmounts>>;
  /**
   * Also returns pending transfers whose evidence contains a `conflicting` part
   * (`PendingTransfers.conflictingEvidenceParts`). Ordered by `lapsesAt`, so that the last transfer of an output has its
   * latest time.
   */
  abstract knownTransfers(
    network: string,
    transactionHashes: readonly string[],
    conflicting: readonly Derivation[],
  ): Promise<KnownTransfer[]>;
  /**
   * Ordered by `lapsesAt`: at most `limit` that lapse before `lapsedBefore`, and at most `limit` others after
   * `after`.
   */
  abstract pendingTransfers(
    network: string,
    lapsedBefore: Date,
    after: Pick<RecordedPendingTransfer, 'id' | 'lapsesAt'> | null,
    limit: number,
  ): Promise<RecordedPendingTransfer[]>;
  abstract evidence(
    transferIds: readonly string[],
  ): Promise<Map<string, { readonly transactionHash: string; readonly evidence: Derivation }>>;
  /**
   * @param alsoChanged transfers that the unit of work changes next: all requests are locked together, in one order
   */
  abstract recordMissing(
    noted: { readonly missing: readonly string[]; readonly back: readonly string[] },
    alsoChanged: readonly string[],
  ): Promise<void>;
}
