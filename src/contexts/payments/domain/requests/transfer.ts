/**
 * What identifies a transfer on a network: the kind of evidence, the transaction and the position in it.
 * `log`: an ERC-20 Transfer event, index = log index in the block. `call`: the native value of a transaction, index =
 * its index in the block. `balance`: native value that arrived inside contract calls, known by its block and address.
 */
export type TransferKind = 'log' | 'call' | 'balance';

/** Value that arrived at a deposit address, as read from a block. Hashes and addresses as the chain's family tells them. */
export interface Transfer {
  readonly id: string;
  readonly network: string;
  readonly kind: TransferKind;
  /** Null for a `balance`: no transaction is known to have brought it. */
  readonly transactionHash: string | null;
  readonly index: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly blockTime: Date;
  readonly uniqueAssetId: string;
  /** Symbol and fraction digits of its own asset; kept, since the asset may be withdrawn later. */
  readonly currency: string;
  readonly decimals: number;
  /** `UNKNOWN_SENDER` for a `balance`: the chain does not tell. */
  readonly from: string;
  readonly to: string;
  /** Memo or tag by which the address tells its requests apart; absent where the address is enough. */
  readonly toTag?: string;
  /** Smallest units, above zero. */
  readonly amount: bigint;
  /** What its network asked for when it was read; kept, since the network may be withdrawn later. */
  readonly requiredConfirmations: number;
}

/** A transfer to one of our addresses that was read. */
export interface Arrival extends Transfer {
  /** Not final before it was told a second time: it is above its asset's `agreementAbove`, or inner value. */
  readonly awaitsCrossCheck: boolean;
}

/** A transfer and what became of it. */
export interface RecordedTransfer extends Arrival {
  /** Part of what its request has received. */
  readonly counted: boolean;
  /** When it was found to be money beside what its request received; null where it is not, or not yet. */
  readonly depositedAt: Date | null;
  /** When it disappeared from the chain although it was final and posted. */
  readonly reversedAt: Date | null;
}

/** The order in which a chain's transfers happened; a `balance` is known only once its block is whole. */
export function inChainOrder(a: Transfer, b: Transfer): number {
  const isBalance = ({ kind }: Transfer) => Number(kind === 'balance');
  return a.blockNumber - b.blockNumber || isBalance(a) - isBalance(b) || a.index - b.index;
}
