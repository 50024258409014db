/** A block's header, as far as watching needs it. */
export interface BlockHeader {
  readonly number: number;
  /** 0x-prefixed lower-case hex, 32 bytes; `parentHash` too. */
  readonly hash: string;
  readonly parentHash: string;
  readonly time: Date;
}

/** One ERC-20 `Transfer` log. Addresses and hashes in lower-case hex; amounts in smallest units. */
export interface TokenTransfer {
  readonly transactionHash: string;
  /** Position in the block; with the transaction hash it identifies the log. */
  readonly logIndex: number;
  /** Contract that emitted the log. */
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/**
 * Reads one network. Every call has a timeout and retries; when a node does not answer at all it throws
 * `ChainUnavailable`, and the caller tries again later.
 */
export abstract class ChainReader {
  /** The newest block, and the newest that can no longer disappear by the network's finality (null: none yet). */
  abstract head(network: string): Promise<{ head: BlockHeader; finalNumber: number | null }>;
  /** The canonical block of that height, or null where the node has none (it lags, or the chain is shorter). */
  abstract block(network: string, number: number): Promise<BlockHeader | null>;
  /**
   * All transfers of the network's catalogued tokens in exactly the block of that hash, never of another fork's.
   * @throws ChainUnavailable also when the node does not know the block
   */
  abstract transfers(network: string, blockHash: string): Promise<TokenTransfer[]>;
}

/** No good answer from any endpoint; nothing is known to be wrong with the chain. */
export class ChainUnavailable extends Error {
  constructor(network: string, reason: string) {
    super(`${network} did not answer: ${reason}`);
    this.name = 'ChainUnavailable';
  }
}
