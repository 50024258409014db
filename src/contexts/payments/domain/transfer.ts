/**
 * What identifies a transfer on a network: the kind of evidence, the transaction and the position in it.
 * `log`: an ERC-20 Transfer event, index = log index in the block.
 */
export type TransferKind = 'log';

/** Value that arrived at a deposit address, as read from a block. Hashes and addresses in lower-case hex. */
export interface Transfer {
  readonly id: string;
  readonly network: string;
  readonly kind: TransferKind;
  readonly transactionHash: string;
  readonly index: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly blockTime: Date;
  readonly uniqueAssetId: string;
  readonly from: string;
  readonly to: string;
  /** Smallest units, above zero. */
  readonly amount: bigint;
  /** Fraction digits of its own asset; kept, since the asset may be withdrawn later. */
  readonly decimals: number;
  /** What its network asked for when it was read; kept, since the network may be withdrawn later. */
  readonly requiredConfirmations: number;
}

/** A transfer and whether it is part of what its request has received. */
export interface RecordedTransfer extends Transfer {
  readonly counted: boolean;
}

/** The order in which a chain's transfers happened. */
export function inChainOrder(a: Transfer, b: Transfer): number {
  return a.blockNumber - b.blockNumber || a.index - b.index;
}
