import type { Asset } from '#shared/kernel/asset.js';
import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';

/**
 * The kind of evidence of a transfer. Together with the transaction and the index it identifies the transfer on its network. `log`:
 * an ERC-20 Transfer event; index = log index in the block. `call`: the native value of a transaction; index = transaction index in
 * the block. `output`: an output of a transaction; index = output index. `balance`: an internal transfer (native value inside a
 * contract call), known only by block and address.
 */
export type TransferKind = 'log' | 'call' | 'output' | 'balance';

/** Value received at a deposit address, as read from a block. Hashes and addresses use the spelling of the chain type. */
export interface Transfer {
  readonly id: string;
  readonly network: string;
  readonly kind: TransferKind;
  /** Null for a `balance`: its transaction is not known. */
  readonly transactionHash: string | null;
  readonly index: number;
  /** `Infinity` while the transfer is pending: it sorts after every block and is never final. */
  readonly blockNumber: number;
  /** Empty while the transfer is pending. */
  readonly blockHash: string;
  /** While the transfer is pending, the time when it was first seen. */
  readonly blockTime: Date;
  /** The time that decides whether the transfer was in time or late. Absent if that is the block timestamp. */
  readonly arrivedAt?: Date;
  /** Present if the network follows transfers before they are in a block. */
  readonly sight?: FirstSight;
  readonly uniqueAssetId: string;
  /** Symbol and decimals of the asset. Copied, because the asset may be removed from the catalogue later. */
  readonly currency: string;
  readonly decimals: number;
  readonly from: string;
  readonly to: string;
  /** Memo or tag that distinguishes requests sharing an address. Absent if the address is enough. */
  readonly toTag?: string;
  /** Smallest units, above zero. */
  readonly amount: bigint;
  /** Copied from the network's setting, because the network may be removed from the catalogue later. */
  readonly requiredConfirmations: number;
  /** Confirmations required beyond the finality of the network. Absent: none. */
  readonly extraConfirmations?: number;
}

/** The facts of a transfer that do not change when it is mined or when the chain is reorganised. */
export interface FirstSight {
  readonly seenAt: Date;
  /** If the transfer's block is timestamped no later than this, the transfer counts as received at `seenAt`. */
  readonly lapsesAt: Date;
  /** Opaque: only the network's chain type interprets it. */
  readonly evidence: Derivation;
}

export type SightTimes = Omit<FirstSight, 'evidence'>;

export interface IncomingTransfer extends Transfer {
  /**
   * True if the transfer becomes final only after a cross-check: its amount is above its asset's `crossCheckAbove`, or it is
   * internal.
   */
  readonly awaitsCrossCheck: boolean;
  /**
   * The UTC day (YYYY-MM-DD) whose small transfers are aggregated into one deposit. Null if the transfer becomes a deposit of its
   * own.
   */
  readonly gatheredOn: string | null;
  /** Confirmations before the transfer can be spent. Not stored. Absent: none. */
  readonly spendableAfter?: number;
}

export interface RecordedTransfer extends IncomingTransfer {
  /** True if the transfer is part of the amount received by its request. */
  readonly counted: boolean;
  /** The time when the transfer became a deposit. Null if it did not. */
  readonly depositedAt: Date | null;
  /**
   * The last transfer of the aggregated deposit that contains this transfer. Null if the transfer is not part of an aggregated
   * deposit.
   */
  readonly depositId: string | null;
  /** The time when the transfer disappeared from the chain although it was final and posted. */
  readonly reversedAt: Date | null;
}

/** The fields of a transfer about which nothing is decided yet. */
export const RECORDED = { counted: false, depositedAt: null, depositId: null, reversedAt: null } as const;

/**
 * Orders transfers as they happened on the chain. A `balance` comes last in its block, because it is known only from the complete
 * block.
 */
export function inChainOrder(a: Transfer, b: Transfer): number {
  const isBalance = ({ kind }: Transfer) => Number(kind === 'balance');
  return a.blockNumber - b.blockNumber || isBalance(a) - isBalance(b) || a.index - b.index;
}

/** The time that decides whether a transfer was in time or late. */
export function arrivalTime({ arrivedAt, blockTime }: Pick<Transfer, 'arrivedAt' | 'blockTime'>): Date {
  return arrivedAt ?? blockTime;
}

export function isPending({ blockNumber }: Pick<Transfer, 'blockNumber'>): boolean {
  return blockNumber === Infinity;
}

/** The transfer is final when its network's final block reaches this number. */
export function finalFrom({ blockNumber, extraConfirmations = 0 }: Transfer): number {
  return blockNumber + extraConfirmations;
}

/** How far a network has been read, and which part is final. */
export interface ChainProgress {
  /**
   * The progress watermark: every incoming transfer up to this time is known. Earlier than the newest block while balances are not
   * known.
   */
  readonly headTime: Date;
  /** Null until the first block is final. */
  readonly final: { readonly number: number; readonly time: Date } | null;
}

/**
 * Transfers below the asset's minimum are aggregated by day, because anyone can send any number of them.
 * @returns the UTC day (YYYY-MM-DD) of the aggregated deposit; null if the transfer becomes a separate deposit
 */
export function gatheringDay(amount: bigint, asset: Asset, blockTime: Date): string | null {
  return amount < asset.minimumAmount ? blockTime.toISOString().slice(0, 10) : null;
}
