import type { ChainTransfer } from './chain-reader.js';

export interface FoundTransaction {
  /** Null, like `blockHash`, if the transaction is not in a block. */
  readonly blockNumber: number | null;
  readonly blockHash: string | null;
  /** False if the transaction was reverted and moved nothing. True while it is not in a block. */
  readonly succeeded: boolean;
  /**
   * On EVM networks: non-zero ERC-20 transfers and the transaction's native value, whose `token` is the catalogue's
   * symbol or `native`.
   */
  readonly transfers: readonly ChainTransfer[];
}

/** A node can be wrong, so a decision about money requires that a second endpoint has confirmed the answer. */
export interface TransactionLookup {
  parseHash(field: string, text: string): string;
  /** Queries one endpoint once, with a timeout of two seconds. */
  find(hash: string): Promise<FoundTransaction | 'unknown'>;
}
