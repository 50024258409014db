import type { Asset } from '#shared/kernel/asset.js';
import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';

/**
 * The kind of evidence of a transfer; with the transaction and the position it identifies the transfer on its network.
 * `log`: an ERC-20 Transfer event, index = log index in the block. `call`: the native value of a transaction, index =
 * its index in the block. `output`: an output of a transaction, index = its place there. `balance`: internal transfers (native value inside contract calls), known by block and address.
 */
export type TransferKind = 'log' | 'call' | 'output' | 'balance';

/** Value that arrived at a deposit address, as read from a block. Hashes and addresses have the spelling of the chain type. */
export interface Transfer {
  readonly id: string;
  readonly network: string;
  readonly kind: TransferKind;
  /** Null for a `balance`: no transaction is known to have brought it. */
  readonly transactionHash: string | null;
  readonly index: number;
  /** `Infinity` while it is in no block: it is behind every block, and never final. */
  readonly blockNumber: number;
  /** Empty while it is in no block. */
  readonly blockHash: string;
  /** While it is in no block, the time when it was first seen. */
  readonly blockTime: Date;
  /** The time by which it is in time or late; absent where that is its block's time. */
  readonly arrivedAt?: Date;
  /** Present where transfers are followed before they are in a block. */
  readonly sight?: FirstSight;
  readonly uniqueAssetId: string;
  /** Symbol and fraction digits of its own asset; kept, since the asset may be withdrawn later. */
  readonly currency: string;
  readonly decimals: number;
  /** `UNKNOWN_SENDER` for a `balance`, whose sender is not known. */
  readonly from: string;
  readonly to: string;
  /** Memo or tag that distinguishes the requests of the address; absent where the address is enough. */
  readonly toTag?: string;
  /** Smallest units, above zero. */
  readonly amount: bigint;
  /** The network's setting when it was read; kept, since the network may be withdrawn later. */
  readonly requiredConfirmations: number;
  /** Blocks that it must be deep beyond the finality of its network; absent: none. */
  readonly extraConfirmations?: number;
}

/** The facts of a transfer that stay through mining and reorganisations. */
export interface FirstSight {
  readonly seenAt: Date;
  /** In a block that is stamped no later, it has arrived when it was first seen. */
  readonly lapsesAt: Date;
  /** Only the network's chain type reads it. */
  readonly evidence: Derivation;
}

export type SightTimes = Omit<FirstSight, 'evidence'>;

/** A transfer to a deposit address, as it was read. */
export interface IncomingTransfer extends Transfer {
  /** Not final before a cross-check: its amount is above its asset's `crossCheckAbove`, or it is an internal transfer. */
  readonly awaitsCrossCheck: boolean;
  /** The UTC day, as YYYY-MM-DD, with whose others it becomes one deposit; null where it becomes one by itself. */
  readonly gatheredOn: string | null;
  /** Confirmations before which nobody can spend it, as it is read with a block; it is not stored. Absent: none. */
  readonly spendableAfter?: number;
}

/** A transfer as it is stored, with what was decided about it. */
export interface RecordedTransfer extends IncomingTransfer {
  /** Part of what its request has received. */
  readonly counted: boolean;
  /** When it became a deposit; null where it is none. */
  readonly depositedAt: Date | null;
  /** The last transfer of the deposit that it was gathered into; null where it is none, or one by itself. */
  readonly depositId: string | null;
  /** When it disappeared from the chain although it was final and posted. */
  readonly reversedAt: Date | null;
}

/** The fields of a transfer about which nothing was decided. */
export const RECORDED = { counted: false, depositedAt: null, depositId: null, reversedAt: null } as const;

/** The order in which a chain's transfers happened; a `balance` is known only once its block is whole. */
export function inChainOrder(a: Transfer, b: Transfer): number {
  const isBalance = ({ kind }: Transfer) => Number(kind === 'balance');
  return a.blockNumber - b.blockNumber || isBalance(a) - isBalance(b) || a.index - b.index;
}

/** The time by which a transfer is in time or late. */
export function arrivalTime({ arrivedAt, blockTime }: Pick<Transfer, 'arrivedAt' | 'blockTime'>): Date {
  return arrivedAt ?? blockTime;
}

/** It is in no block yet. */
export function isPending({ blockNumber }: Pick<Transfer, 'blockNumber'>): boolean {
  return blockNumber === Infinity;
}

/** The final block of its network from which on it is final. */
export function finalFrom({ blockNumber, extraConfirmations = 0 }: Transfer): number {
  return blockNumber + extraConfirmations;
}

/** How far a network has been read, and how much of that can no longer disappear. */
export interface ChainProgress {
  /** The progress watermark: every arrival up to this time is known. Earlier than the newest block while balances are not. */
  readonly headTime: Date;
  /** Null until the first block is final. */
  readonly final: { readonly number: number; readonly time: Date } | null;
}

/**
 * A transfer below the minimum of its asset becomes no deposit by itself: anyone can send any number of such transfers.
 * @returns the UTC day with whose others it becomes one, as YYYY-MM-DD; null where it becomes one by itself
 */
export function gatheringDay(amount: bigint, asset: Asset, blockTime: Date): string | null {
  return amount < asset.minimumAmount ? blockTime.toISOString().slice(0, 10) : null;
}
