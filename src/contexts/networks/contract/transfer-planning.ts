import type { Asset } from '#shared/kernel/asset.js';

/** A simulation of exactly this call delivered the full amount. */
export interface PlannedTransfer {
  readonly call: {
    readonly to: string;
    readonly data: string;
    readonly value: bigint;
    readonly gasLimit: bigint;
  };
  /** Maximum cost of gas and data at current fees, in the smallest unit of the native coin. */
  readonly gasCost: bigint;
}

/** The payment that a call makes directly, if it is a plain transfer. */
export interface CallPayment {
  /** Address of the token contract. Null for the native coin. */
  readonly token: string | null;
  readonly to: string;
  /** Smallest units. */
  readonly amount: bigint;
}

export interface TransferPlanning {
  encode(
    asset: Pick<Asset, 'token' | 'symbol'>,
    to: string,
    amount: bigint,
  ): Omit<PlannedTransfer['call'], 'gasLimit'>;
  /**
   * @throws TransferRefused, ChainUnavailable
   */
  plan(
    from: string,
    asset: Pick<Asset, 'token' | 'symbol'>,
    to: string,
    amount: bigint,
  ): Promise<PlannedTransfer>;
  /** Decodes a call made by `plan`, without contacting a node. @returns null for any other call */
  decodePayment(call: Omit<PlannedTransfer['call'], 'gasLimit'>): CallPayment | null;
  /**
   * For a token, its contract's `Transfer` event decides, because a contract can refuse a transfer without reverting.
   * Queries every endpoint.
   */
  hasMovedFunds(transactionHash: string, transfer: TransferToPlan): Promise<boolean>;
}

export interface TransferToPlan {
  readonly from: string;
  readonly asset: Pick<Asset, 'token' | 'symbol'>;
  readonly to: string;
  readonly amount: bigint;
}

/**
 * `balance`: the sender holds too little of the asset. `recipient`: the asset or the recipient refuses the transfer.
 */
export class TransferRefused extends Error {
  constructor(
    readonly reason: 'balance' | 'recipient',
    says: string,
  ) {
    super(says);
    this.name = 'TransferRefused';
  }
}
