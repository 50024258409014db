import type { Asset, FinalityTag } from '#shared/kernel/asset.js';
import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';

/**
 * How a transfer appears on the chain. Kind, transaction and index identify a transfer on its network.
 * - `log`: an ERC-20 Transfer event; index = log index in the block
 * - `call`: the native value of a transaction; index = transaction index in the block
 * - `output`: an output of a transaction; index = output index
 * - `balance`: an internal transfer (native value inside a contract call), known only by block and address
 */
export type TransferKind = 'log' | 'call' | 'output' | 'balance';

/** Hashes and addresses use the spelling of the chain type. */
export interface Transfer {
  readonly id: string;
  readonly network: string;
  readonly kind: TransferKind;
  /** Null for kind `balance`, because the transaction is unknown. */
  readonly transactionHash: string | null;
  readonly index: number;
  /** `Infinity` while the transfer is pending, so that it sorts after every block and is never final. */
  readonly blockNumber: number;
  /** Empty string while the transfer is pending. */
  readonly blockHash: string;
  /** Block timestamp. While the transfer is pending: the time when it was first seen. */
  readonly blockTime: Date;
  /** The time that decides whether the transfer was in time or late. Absent if it is the block timestamp. */
  readonly arrivedAt?: Date;
  /** Present only on networks whose mempools are read. */
  readonly sight?: FirstSeen;
  readonly uniqueAssetId: string;
  /** Copied with the decimals, because the asset may be removed from the catalogue later. */
  readonly currency: string;
  readonly decimals: number;
  readonly from: string;
  readonly to: string;
  /** Memo or tag that distinguishes requests sharing an address. */
  readonly toTag?: string;
  /** Smallest units, above 0. */
  readonly amount: bigint;
  /** Copied from the network's setting, because the network may be removed from the catalogue later. */
  readonly requiredConfirmations: number;
  readonly extraConfirmations?: number;
  /**
   * The transfer is final only when its block has this tag. Null: its number of confirmations decides, by a table of
   * the network. Absent: `finalized`, so that a table that is added later does not make waiting transfers final.
   */
  readonly requiredTag?: FinalityTag | null;
}

/** The part of a transfer that stays the same when it is mined or when the chain is reorganized. */
export interface FirstSeen {
  readonly seenAt: Date;
  /**
   * Time until which a pending transfer waits to be mined. If its block timestamp is not later, it counts as
   * received at `seenAt`.
   */
  readonly lapsesAt: Date;
  /** Opaque evidence from which the network's chain type computes conflicts. */
  readonly evidence: Derivation;
}

export type FirstSeenTimes = Omit<FirstSeen, 'evidence'>;

export interface IncomingTransfer extends Transfer {
  /**
   * An internal transfer, or an amount above its asset's `crossCheckAbove`, becomes final only after a cross-check.
   */
  readonly awaitsCrossCheck: boolean;
  /** UTC day (YYYY-MM-DD) of the aggregated deposit. Null for a separate deposit. */
  readonly gatheredOn: string | null;
  /** Confirmations before the output can be spent, such as for a coinbase. Not stored. */
  readonly spendableAfter?: number;
}

export interface RecordedTransfer extends IncomingTransfer {
  readonly counted: boolean;
  /** Null if the transfer is not a deposit. */
  readonly depositedAt: Date | null;
  /** Id of the last transfer of the aggregated deposit that contains this transfer. */
  readonly depositId: string | null;
  /** The time when the transfer was reversed, because it disappeared from the chain after it was final and posted. */
  readonly reversedAt: Date | null;
}

export const NEW_TRANSFER_STATE = {
  counted: false,
  depositedAt: null,
  depositId: null,
  reversedAt: null,
} as const;

/** A `balance` comes last in its block, because it is known only from the complete block. */
export function compareByChainOrder(a: Transfer, b: Transfer): number {
  const isBalance = ({ kind }: Transfer) => Number(kind === 'balance');
  return a.blockNumber - b.blockNumber || isBalance(a) - isBalance(b) || a.index - b.index;
}

export function receivedTime({ arrivedAt, blockTime }: Pick<Transfer, 'arrivedAt' | 'blockTime'>): Date {
  return arrivedAt ?? blockTime;
}

export function isPendingTransfer({ blockNumber }: Pick<Transfer, 'blockNumber'>): boolean {
  return blockNumber === Infinity;
}

type FinalityOfTransfer = Pick<Transfer, 'blockNumber' | 'extraConfirmations' | 'requiredTag'>;

export function isFinalTransfer(
  { blockNumber, extraConfirmations = 0, requiredTag = 'finalized' }: FinalityOfTransfer,
  final: FinalBlock,
): boolean {
  const newestTagged = requiredTag === null ? Infinity : final[requiredTag];
  return blockNumber + extraConfirmations <= final.number && blockNumber <= newestTagged;
}

/** The newest confirmed block, and the newest of the confirmed blocks with each tag (-1: none). */
export interface FinalBlock extends Readonly<Record<FinalityTag, number>> {
  readonly number: number;
  readonly time: Date;
}

export interface ChainProgress {
  /** All incoming transfers up to this time are known. It stops while balances or mempools cannot be read. */
  readonly headTime: Date;
  /** Null until the first block is final. */
  readonly final: FinalBlock | null;
}

/** @returns the UTC day (YYYY-MM-DD) of the aggregated deposit, or null if the amount reaches the asset's minimum */
export function aggregationDay(amount: bigint, asset: Asset, blockTime: Date): string | null {
  return amount < asset.minimumAmount ? blockTime.toISOString().slice(0, 10) : null;
}
