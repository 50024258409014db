import type { Derivation, Recipient } from './deposit-addresses.js';

/** A block's header, as far as watching needs it. */
export interface BlockHeader {
  readonly number: number;
  /** The chain type spells it, and `parentHash`: lower-case hex of 32 bytes, on EVM networks after `0x`. */
  readonly hash: string;
  readonly parentHash: string;
  /** Never earlier than the parent's; no later block brings what is dated earlier. On Bitcoin the median time past. */
  readonly time: Date;
}

/** Value that moved in a block, before anybody knows whose it is. Addresses and hashes are spelled by the chain type. */
export interface ChainTransfer {
  /**
   * `log`: an ERC-20 `Transfer` event. `call`: the native value of a transaction, which moved only if the transaction
   * `succeeded`. `output`: an output of a transaction, whose inputs name no sender.
   */
  readonly kind: 'log' | 'call' | 'output';
  readonly transactionHash: string;
  /**
   * The index of a `log` in its block, of a `call`'s transaction there, or of an `output` in its transaction; with kind
   * and hash it identifies the transfer.
   */
  readonly index: number;
  /** The catalogue's spelling: the contract that emitted the log, or the native coin's symbol. */
  readonly token: string;
  readonly from: string;
  readonly to: string;
  /** Memo or tag that the sender named; absent where the chain type has none, or the transfer bears none. */
  readonly toTag?: string;
  /** Smallest units, above zero. */
  readonly amount: bigint;
  /** The time that its block is stamped with, where `BlockHeader.time` is another one. */
  readonly stampedAt?: Date;
  /** JSON that only the chain type reads: by it `PendingTransfers` finds a conflict. Absent where none is followed. */
  readonly evidence?: Derivation;
  /** Confirmations before which its recipient cannot spend it, whatever else is required. Absent where it can be spent at any depth. */
  readonly spendableAfter?: number;
}

/** The sender of an `output`: it is shown as it is, since the chain names none. */
export const UNNAMED_SENDER = 'unknown';

/** The sender of value whose sender the chain does not show: the zero address of EVM networks. */
export const UNKNOWN_SENDER = '0x0000000000000000000000000000000000000000';

/** A payout of a deposit address by its terms, as the `Settled` event of its factory has it. Addresses in lower-case hex. */
export interface ChainPayout {
  readonly transactionHash: string;
  readonly logIndex: number;
  /** The factory, which paid it out. */
  readonly from: string;
  readonly address: string;
  /** Spelled like `ChainTransfer.token`. */
  readonly token: string;
  /** Smallest units, also `toFee`; either may be zero. */
  readonly toSettlement: bigint;
  readonly toFee: bigint;
}

/** All of a block that concerns the catalogue. */
export interface BlockContents {
  /** Every `log` of a catalogued token; every `call`, where the network's native coin is catalogued. In chain order. */
  readonly transfers: readonly ChainTransfer[];
  /** Payouts of catalogued tokens, and of the native coin where it is catalogued. In chain order. */
  readonly payouts: readonly ChainPayout[];
}

export interface ReadBlock extends BlockContents {
  readonly header: BlockHeader;
  /** Names the endpoint that answered its contents, in all processes. Absent where a chain type's endpoints have no names. */
  readonly readBy?: string;
}

/** The contents of one block, as part of a range whose headers are known. */
export interface ContentsAt extends BlockContents {
  readonly number: number;
  readonly hash: string;
}

/** The contents of those of a range's blocks that have any. */
export interface RangeContents {
  /** The header of the last block, which by its parents stands for all of them. */
  readonly last: BlockHeader;
  readonly contents: readonly ContentsAt[];
}

/** The newest block, and the newest that can no longer disappear by the network's finality; null: none yet. */
export interface ChainHead {
  readonly head: BlockHeader;
  readonly finalNumber: number | null;
}

/**
 * Which of these are addresses of this service, by `recipientKey`. Blocks of any size are read, and hold movements
 * between strangers without end: who is asked this while they are read gets only movements of its own addresses from where
 * there are many, so that memory holds a bounded number of the others.
 */
export type OwnAddresses = (recipients: readonly Recipient[]) => Promise<ReadonlySet<string>>;

/** Answers of one node about single blocks; each class that extends this says which node is asked. */
export abstract class ChainAnswers {
  /** The canonical block of that height, or null where the node has none (it lags, or the chain is shorter). */
  abstract block(network: string, number: number): Promise<BlockHeader | null>;
  /** Which of these transactions of the block of that hash succeeded; only those moved their native value. */
  abstract succeeded(
    network: string,
    blockHash: string,
    hashes: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /**
   * Native balances right after the block of that hash, in the order of `addresses`.
   * @throws StateUnavailable where the node keeps no state of that block any more
   */
  abstract balances(network: string, blockHash: string, addresses: readonly string[]): Promise<bigint[]>;
  /**
   * Balances of a token right after the block of that hash, in the order of `addresses`; null where the contract gave none
   * for that address: it failed, or answered no amount. That is the token's answer, and no fault of the node.
   * @param token as the catalogue has it, not the native coin
   * @throws StateUnavailable where the node keeps no state of that block any more
   */
  abstract tokenBalances(
    network: string,
    blockHash: string,
    token: string,
    addresses: readonly string[],
  ): Promise<(bigint | null)[]>;
  /**
   * Answers true where the receipt of their transaction stands in the block of that hash, succeeded, and holds each of these
   * transfers. False is proven, by another receipt or by the block's own list of transactions.
   * @param transfers all of one transaction, whose receipt is asked for once
   * @returns in the order of `transfers`
   * @throws ChainUnavailable also while the node has the transaction in that block but no receipt, or not that block, and
   * where the receipt contradicts itself
   */
  abstract holds(network: string, blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]>;
}

/**
 * Reads one network by the endpoint that is best at the moment. Every call has a timeout and retries; where no endpoint
 * answers it throws `ChainUnavailable`, and the caller tries again later.
 */
export abstract class ChainReader extends ChainAnswers {
  abstract head(network: string): Promise<ChainHead>;
  /**
   * The blocks `from` to `to` in order, as far as the node has them without a gap; maybe none. The contents of each are
   * exactly those of the block of its hash, never of another fork's. Whether they link is for the caller to see. That a
   * block has none is proven by the bloom filter, or else by all logs of the block.
   * @param finalNumber up to it contents may be asked for by ranges; null: by hash throughout
   * @param ours without it, all movements are held, whatever their number
   * @throws ChainUnavailable also when the node loses a block meanwhile, or answers fewer logs than a block has
   */
  abstract blocks(
    network: string,
    from: number,
    to: number,
    finalNumber: number | null,
    ours?: OwnAddresses,
  ): Promise<ReadBlock[]>;
  /** The endpoint's answers contradict one another, the clock or what was final: from the next turn on another one is read. */
  abstract doubt(network: string, reason: string): void;
}

/**
 * The same chain by another endpoint than `ChainReader` reads from, where one is well; by the same where no other has
 * been of use for some seconds, and until then by none.
 */
export abstract class SecondEndpoint extends ChainAnswers {
  /**
   * True where another endpoint than the reader's answers at the moment. An endpoint that lags counts too, unless it stands
   * still: behind a longer fork the true chain seems to lag.
   * @throws ChainUnavailable while the others have been away for some seconds only: the reader is not trusted alone so soon
   */
  abstract isIndependent(network: string): boolean;
  /** True where only one endpoint is configured, so that nothing can be asked of a second one, now or later. */
  abstract isAlone(network: string): boolean;
  /** Names the endpoint as `ReadBlock.readBy` does; null where a chain type's endpoints have no names. @throws ChainUnavailable */
  abstract fingerprint(network: string): string | null;
  /**
   * The newest block that can no longer disappear on the fork that this endpoint is on: by the number of confirmations
   * below its own head, or by its own `finalized` block. Null: none yet.
   */
  abstract finalNumber(network: string): Promise<number | null>;
  /**
   * The contents of the blocks `from` to `to` that have any, by ranges as wide as the endpoint bears, with the header of
   * the block at `to`, which by its parents stands for all of them. Where the endpoint is on another fork that does not
   * reach `to`, nothing but the newest block of that fork: its hash is another than that of the block at `to`.
   * @param ours as of `ChainReader.blocks`
   * @throws ChainUnavailable also where the endpoint does not have all of these blocks of the same fork
   */
  abstract contents(network: string, from: number, to: number, ours?: OwnAddresses): Promise<RangeContents>;
}

/** No good answer from any endpoint; nothing is known to be wrong with the chain. */
export class ChainUnavailable extends Error {
  constructor(network: string, reason: string) {
    super(`${network} is unavailable: ${reason}`);
    this.name = 'ChainUnavailable';
  }
}

/** The endpoints that answer keep no state of that block any more; a newer block's can be asked for. */
export class StateUnavailable extends ChainUnavailable {}

/** The answer, or as a value the failure of an endpoint to answer. @throws what is no such failure */
export async function orUnavailable<T>(asked: Promise<T>): Promise<T | ChainUnavailable> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ChainUnavailable) return error;
    throw error;
  }
}
