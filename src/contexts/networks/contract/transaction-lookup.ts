import type { ChainTransfer } from './chain-reader.js';

/** A transaction as one node answers it at the moment. */
export interface FoundTransaction {
  /** Null while it is in no block; `blockHash` too. */
  readonly blockNumber: number | null;
  readonly blockHash: string | null;
  /** False where it was reverted: it moved nothing. True also while it is in no block. */
  readonly succeeded: boolean;
  /**
   * All that it moved, on EVM networks ERC-20 transfers of an amount and its own native value; none before it is in a
   * block, and none of a reverted one. Their `token` need not be catalogued: the native coin has the catalogue's symbol, or
   * else `native`.
   */
  readonly transfers: readonly ChainTransfer[];
}

/**
 * Asks one node about one transaction. One node can be wrong: where its answer decides about money, as refunds by merchants do, another
 * endpoint has shown the same.
 */
export abstract class TransactionLookup {
  /**
   * @param field that the error names
   * @returns the hash in the one spelling in which that network's chain type has it
   * @throws DomainError `validation_failed` for what no transaction there can have
   */
  abstract readHash(network: string, field: string, text: string): string;
  /**
   * Asks one endpoint, once, and waits two seconds at most.
   * @param hash as `readHash` returns it
   * @throws ChainUnavailable where it did not answer in time, or is not proven to be the right chain
   */
  abstract find(network: string, hash: string): Promise<FoundTransaction | 'unknown'>;
}
