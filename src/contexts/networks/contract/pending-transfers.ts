import type { ChainTransfer, OwnAddresses } from './chain-reader.js';
import type { Derivation } from './deposit-addresses.js';

/** A transfer in no block yet, as a node holds it. */
export interface PendingTransfer extends ChainTransfer {
  /**
   * How long nodes report to have held it, in milliseconds. Null if they do not say, or if only one of several endpoints says
   * so: a single one could make a late payment look early.
   */
  readonly heldForMs: number | null;
  /** True if every endpoint that holds it reports a fee that is enough to be mined in about an hour; false if none reports one. */
  readonly paysEnough: boolean;
  readonly evidence: Derivation;
}

/** All that endpoints hold and have put in no block, of one moment. */
export interface PendingLook {
  /**
   * New since the last look of this process that was answered, to own addresses, in no promised order. Each is shown once, and
   * once more where its fee was too low and is found to be enough later,
   * so whoever cannot store it keeps it: else it would be first seen in its block, and perhaps be late by then.
   */
  readonly transfers: readonly PendingTransfer[];
  /**
   * Every endpoint answered whole, but those that others go on without because they serve another chain or have failed for
   * long: then, and only then, absence means something.
   */
  readonly isWhole: boolean;
  /** How long ago the oldest of the answers was asked for, in milliseconds: what has come since may be missing. */
  readonly ageMs: number;
  /** New transactions were left to the next look. */
  readonly hasMore: boolean;
  /** True where an endpoint holds it, examined or not. */
  has(transactionHash: string): boolean;
}

/** A transaction that no endpoint holds any more. */
export interface GoneTransaction {
  readonly transactionHash: string;
  readonly evidence: Derivation;
}

/** `replaced`: another transaction, pending or in a block, uses what this one used. */
export type PendingFate = 'waits' | 'replaced';

/** Transfers before they are in a block, on networks whose `pendingGraceSeconds` says that they are followed. */
export abstract class PendingTransfers {
  /**
   * Asks every endpoint that is well, and answers for all together: what any of them holds is there.
   * @param limit new transactions that are examined; what was there in the last look and is still there is not new
   * @throws ChainUnavailable where none answers
   */
  abstract look(network: string, ours: OwnAddresses, limit: number): Promise<PendingLook>;
  /**
   * Only those count as replaced of which the other transaction was in the last look or is in a block: who asks has seen it
   * before, or can read it.
   * @returns in the order of `gone` @throws ChainUnavailable
   */
  abstract fates(network: string, gone: readonly GoneTransaction[]): Promise<PendingFate[]>;
  /** True for the evidence of two transactions that cannot both come to stand in the chain. No node is asked. */
  abstract conflict(network: string, one: Derivation, other: Derivation): boolean;
  /**
   * The parts of a transaction's evidence by which conflicts are found: another transaction conflicts with it if its evidence contains
   * one of them, as PostgreSQL's `@>` compares JSON.
   */
  abstract conflictingParts(network: string, evidence: Derivation): readonly Derivation[];
}
