import type { ChainTransfer } from './chain-reader.js';

export interface FoundTransaction {
  /** Number of the transaction's block. Null, like `blockHash`, if the transaction is not in a block. */
  readonly blockNumber: number | null;
  readonly blockHash: string | null;
  /** False if the transaction was reverted and moved nothing. True while it is not in a block. */
  readonly succeeded: boolean;
  /**
   * All transfers of the transaction: on EVM networks, non-zero ERC-20 transfers and the transaction's own native
   * value. Empty if the transaction is not in a block or was reverted. `token` need not be in the asset catalogue. For
   * the native coin, `token` is the catalogue's symbol or `native`.
   */
  readonly transfers: readonly ChainTransfer[];
}

/**
 * Queries one node about a single transaction. A node can be wrong, so decisions about money, such as refunds by
 * merchants, require that a second endpoint has confirmed the answer.
 */
export interface TransactionLookup {
  /**
   * Reads and checks a transaction hash.
   * @param field name used in the error message
   * @returns the hash in the spelling of the chain type
   * @throws DomainError `validation_failed` if no transaction of the chain can have this hash
   */
  readHash(field: string, text: string): string;
  /**
   * Queries one endpoint once, with a timeout of two seconds.
   * @param hash as returned by `readHash`
   * @throws ChainUnavailable if the endpoint did not answer in time, or is not proven to serve the right chain
   */
  find(hash: string): Promise<FoundTransaction | 'unknown'>;
}
