import type { ChainTransfer, OwnAddressLookup } from './chain-reader.js';
import type { Derivation } from './deposit-addresses.js';

export interface PendingTransfer extends ChainTransfer {
  /**
   * In milliseconds. Null if nodes do not report it, or only one of several does, because that node could make a late
   * payment look early.
   */
  readonly heldForMs: number | null;
  /** True if every endpoint that holds the transfer reports a fee high enough for a block within about an hour. */
  readonly paysEnough: boolean;
  readonly evidence: Derivation;
}

export interface MempoolSnapshot {
  /**
   * Each transfer is returned once, and again if a low fee becomes sufficient. The caller must store it, or the
   * transfer is first seen in its block, which may be too late.
   */
  readonly transfers: readonly PendingTransfer[];
  /**
   * True if every endpoint answered completely, apart from endpoints that serve another chain or have failed for
   * long.
   */
  readonly isWhole: boolean;
  /** Age of the snapshot in milliseconds, since the oldest of its answers was requested. */
  readonly ageMs: number;
  readonly hasMore: boolean;
  /** True if any endpoint holds the transaction, even if it was not examined yet. */
  has(transactionHash: string): boolean;
}

export interface MissingMempoolTransaction {
  readonly transactionHash: string;
  readonly evidence: Derivation;
}

/** `replaced`: another transaction, pending or in a block, spends the same outputs. */
export type PendingTransactionStatus = 'waits' | 'replaced';

export interface PendingTransfers {
  /** A transaction counts as pending if any endpoint holds it. */
  pollMempools(ours: OwnAddressLookup, limit: number): Promise<MempoolSnapshot>;
  /** Returns `replaced` only if the caller knows the replacing transaction or can read it in a block. */
  statuses(gone: readonly MissingMempoolTransaction[]): Promise<PendingTransactionStatus[]>;
  /** True if the chain can never contain both of these transactions. */
  areConflicting(one: Derivation, other: Derivation): boolean;
  /**
   * Another transaction conflicts if its evidence contains at least one of these parts, by PostgreSQL's JSON
   * containment operator `@>`.
   */
  conflictingEvidenceParts(evidence: Derivation): readonly Derivation[];
}
