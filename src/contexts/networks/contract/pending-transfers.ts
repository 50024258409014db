import type { ChainTransfer, OwnAddresses } from './chain-reader.js';
import type { Derivation } from './deposit-addresses.js';

export interface PendingTransfer extends ChainTransfer {
  /**
   * Time that nodes report to have held the transfer, in milliseconds. Null if nodes do not report it, or if only one
   * of several endpoints does: a single endpoint could make a late payment look early.
   */
  readonly heldForMs: number | null;
  /**
   * True if every endpoint that holds the transfer reports a fee that is enough to be mined in about an hour. False if
   * none reports a fee.
   */
  readonly paysEnough: boolean;
  readonly evidence: Derivation;
}

/** A snapshot of the transactions that endpoints hold in their mempools. */
export interface PendingLook {
  /**
   * Transfers to own addresses that are new since this process's last successful call, in no guaranteed order. Each
   * transfer is returned once, and a second time if its fee was too low at first and is sufficient later. The caller
   * must therefore retry until it has stored them. Otherwise a transfer is first seen in its block, which may be too
   * late.
   */
  readonly transfers: readonly PendingTransfer[];
  /**
   * True if every endpoint answered completely, apart from endpoints that are excluded because they serve another chain
   * or have failed for long. Only then does the absence of a transaction mean anything.
   */
  readonly isWhole: boolean;
  /** Time since the oldest of the answers was requested, in milliseconds. Newer transactions may be missing. */
  readonly ageMs: number;
  /** True if some new transactions were deferred to the next call. */
  readonly hasMore: boolean;
  /** True if any endpoint holds the transaction, even if it was not examined yet. */
  has(transactionHash: string): boolean;
}

export interface GoneTransaction {
  readonly transactionHash: string;
  readonly evidence: Derivation;
}

/** `replaced`: another transaction, pending or in a block, spends what this transaction spent. */
export type PendingFate = 'waits' | 'replaced';

/** Tracks transfers before they are in a block, on networks with `pendingGraceSeconds`. */
export interface PendingTransfers {
  /**
   * Queries every healthy endpoint and merges their answers. A transaction counts as pending if any endpoint holds it.
   * @param limit maximum number of new transactions to examine; transactions of the previous call are not new
   * @throws ChainUnavailable if no endpoint answers
   */
  look(ours: OwnAddresses, limit: number): Promise<PendingLook>;
  /**
   * Returns `replaced` only if the replacing transaction was in the last `look` or is in a block, so the caller knows
   * it or can read it.
   * @returns in the order of `gone` @throws ChainUnavailable
   */
  fates(gone: readonly GoneTransaction[]): Promise<PendingFate[]>;
  /** True if the chain can never contain both of these transactions. Contacts no node. */
  conflict(one: Derivation, other: Derivation): boolean;
  /**
   * Returns the parts of a transaction's evidence that identify conflicts. Another transaction conflicts if its
   * evidence contains one of them, by the JSON containment operator `@>` of PostgreSQL.
   */
  conflictingParts(evidence: Derivation): readonly Derivation[];
}
