import type { FinalityTag } from '#shared/kernel/asset.js';
import type { Derivation, Recipient } from './deposit-addresses.js';

export interface BlockHeader {
  readonly number: number;
  /** 32 bytes in lower-case hex, with `0x` on EVM networks. */
  readonly hash: string;
  readonly parentHash: string;
  /**
   * Never decreases from parent to child, so no later block has an earlier time. On Bitcoin, the median time past.
   */
  readonly time: Date;
}

/** Addresses and hashes are in the spelling of the chain type. */
export interface ChainTransfer {
  /**
   * `log`: an ERC-20 `Transfer` event. `call`: the native value of a transaction, which moved only if the transaction
   * `succeeded`. `output`: a transaction output, which has no identifiable sender.
   */
  readonly kind: 'log' | 'call' | 'output';
  readonly transactionHash: string;
  /** Index of a `log` in its block, of a `call`'s transaction in its block, or of an `output` in its transaction. */
  readonly index: number;
  /** Spelled as in the asset catalogue: the contract that emitted the log, or the symbol of the native coin. */
  readonly token: string;
  readonly from: string;
  readonly to: string;
  /** Memo or tag set by the sender. */
  readonly toTag?: string;
  /** Smallest units, above 0. */
  readonly amount: bigint;
  /** The block's own timestamp. Absent if it equals `BlockHeader.time`. */
  readonly stampedAt?: Date;
  /** JSON that only the chain type reads, from which `PendingTransfers` finds conflicting transactions. */
  readonly evidence?: Derivation;
  /** Confirmations before the recipient can spend the transfer, regardless of those that the service requires. */
  readonly spendableAfter?: number;
}

/** Display value for the sender of an `output`, because the chain names no sender. */
export const NO_SENDER_LABEL = 'unknown';

/** Sender of transfers whose sender the chain does not show: the zero address of EVM networks. */
export const UNKNOWN_SENDER_ADDRESS = '0x0000000000000000000000000000000000000000';

/** A payout from a deposit address under its terms, as in the `Settled` event of its factory. */
export interface ChainPayout {
  readonly transactionHash: string;
  readonly logIndex: number;
  /** Address of the factory that made the payout. */
  readonly from: string;
  readonly address: string;
  /** Spelled like `ChainTransfer.token`. */
  readonly token: string;
  /** Smallest units, as for `toFee`. May be 0. */
  readonly toSettlement: bigint;
  readonly toFee: bigint;
}

export interface BlockContents {
  /**
   * Every `log` of a token in the asset catalogue, and every `call` if the native coin is in the catalogue. In chain
   * order.
   */
  readonly transfers: readonly ChainTransfer[];
  /** Payouts of assets in the catalogue, in chain order. */
  readonly payouts: readonly ChainPayout[];
}

export interface FetchedBlock extends BlockContents {
  readonly header: BlockHeader;
  /** Fingerprint of the endpoint that returned the contents, the same in all processes. */
  readonly readBy?: string;
}

export interface IdentifiedBlockContents extends BlockContents {
  readonly number: number;
  readonly hash: string;
}

export interface BlockRangeContents {
  /** Determines all other blocks of the range by its chain of parents. */
  readonly last: BlockHeader;
  readonly contents: readonly IdentifiedBlockContents[];
}

/** `finalNumber` is null if no block is final yet. */
export interface ChainHead {
  readonly head: BlockHeader;
  readonly finalNumber: number | null;
}

/**
 * Returns `recipientKey` values. Readers call it while they read a large block and keep only transfers to own
 * addresses, which bounds memory.
 */
export type OwnAddressLookup = (recipients: readonly Recipient[]) => Promise<ReadonlySet<string>>;

export interface ChainQueries {
  /** Null if the node lags or the chain is shorter. */
  blockHeader(number: number): Promise<BlockHeader | null>;
  /** Returns which transactions of this block succeeded. Only these moved their native value. */
  succeededTransactions(blockHash: string, hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * In the order of `addresses`, immediately after this block.
   * @throws BlockStateUnavailable if the node no longer stores the state of that block
   */
  balances(blockHash: string, addresses: readonly string[]): Promise<bigint[]>;
  /**
   * In the order of `addresses`, immediately after this block. Null if the contract fails or returns no amount.
   * @throws BlockStateUnavailable if the node no longer stores the state of that block
   */
  tokenBalances(blockHash: string, token: string, addresses: readonly string[]): Promise<(bigint | null)[]>;
  /**
   * True for each transfer in the receipt of a transaction that succeeded in this block. False is always proven, by a
   * different receipt or by the block's list of transactions.
   * @throws ChainUnavailable also if the block or its receipt is missing, or the receipt contradicts itself
   */
  containsTransfers(blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]>;
  /** Newest block with the tag. Null: no block has it yet. Absent on chains without tags. */
  headerByTag?(tag: FinalityTag): Promise<BlockHeader | null>;
}

/** Every call has a timeout and retries. */
export interface ChainReader extends ChainQueries {
  head(): Promise<ChainHead>;
  /**
   * In order, up to the first block that the node does not return, possibly none. Contents belong to the fork of the
   * block's hash, but the caller must check that the blocks link.
   * @param finalNumber up to this block, contents may be requested by range; null: always by hash
   */
  blocks(
    from: number,
    to: number,
    finalNumber: number | null,
    ours?: OwnAddressLookup,
  ): Promise<FetchedBlock[]>;
  /** Reports a doubtful answer: the next cycle reads from another endpoint. */
  reportDoubtfulAnswer(reason: string): void;
}

/**
 * Falls back to the endpoint of `ChainReader` if no other endpoint has been usable for some seconds. Before that,
 * calls fail.
 */
export interface SecondEndpoint extends ChainQueries {
  /**
   * A lagging endpoint counts, because the true chain appears to lag when the reader follows a longer fork.
   * @throws ChainUnavailable during a short outage of the other endpoints, because the reader must not be trusted
   * alone so soon
   */
  isIndependent(): boolean;
  /** True if only one endpoint is configured. */
  isOnlyEndpoint(): boolean;
  /** Same value as `FetchedBlock.readBy`. */
  fingerprint(): string | null;
  /** On this endpoint's fork: by confirmations below the endpoint's own head, or by its own `finalized` block. */
  finalNumber(): Promise<number | null>;
  /**
   * Returns the non-empty blocks, and the header at `to`. From an endpoint on a fork that does not reach `to`,
   * returns only that fork's newest block.
   */
  contentsOfBlockRange(from: number, to: number, ours?: OwnAddressLookup): Promise<BlockRangeContents>;
}

/** Thrown if no endpoint gave a usable answer. Says nothing about the chain itself. */
export class ChainUnavailable extends Error {
  constructor(network: string, reason: string) {
    super(`${network} is unavailable: ${reason}`);
    this.name = 'ChainUnavailable';
  }
}

/** The state of a newer block may be available. */
export class BlockStateUnavailable extends ChainUnavailable {}

export async function catchChainUnavailable<T>(asked: Promise<T>): Promise<T | ChainUnavailable> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ChainUnavailable) return error;
    throw error;
  }
}
