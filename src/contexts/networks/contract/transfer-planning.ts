import type { Asset } from '#shared/kernel/asset.js';

/**
 * A transfer from an account of the service, to be sent by the network's sender. A simulation of exactly this call
 * delivered the full amount.
 */
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
export interface PaidByCall {
  /** Address of the token contract. Null for the native coin. */
  readonly token: string | null;
  readonly to: string;
  /** Amount in smallest units. */
  readonly amount: bigint;
}

/** Plans a transfer and proves it by simulation before it is sent. */
export interface TransferPlanning {
  /** Encodes the call of a transfer, without contacting a node. @param amount in smallest units */
  encode(
    asset: Pick<Asset, 'token' | 'symbol'>,
    to: string,
    amount: bigint,
  ): Omit<PlannedTransfer['call'], 'gasLimit'>;
  /**
   * @param from account of the service that sends the transfer
   * @param amount in smallest units
   * @throws TransferRefused, ChainUnavailable
   */
  plan(
    from: string,
    asset: Pick<Asset, 'token' | 'symbol'>,
    to: string,
    amount: bigint,
  ): Promise<PlannedTransfer>;
  /** Decodes a call made by `plan`, without contacting a node. @returns null for any other call */
  paidBy(call: Omit<PlannedTransfer['call'], 'gasLimit'>): PaidByCall | null;
  /**
   * True if the transaction succeeded and moved the amount as planned. For a token, its contract's `Transfer` event
   * decides, because a contract can refuse a transfer without reverting. Queries every endpoint.
   * @throws ChainUnavailable if an endpoint does not answer, or the answers differ
   */
  moved(transactionHash: string, transfer: TransferToPlan): Promise<boolean>;
}

export interface TransferToPlan {
  readonly from: string;
  readonly asset: Pick<Asset, 'token' | 'symbol'>;
  readonly to: string;
  readonly amount: bigint;
}

/**
 * Thrown if the simulated transfer did not deliver the amount. `balance`: the sender holds too little of the asset.
 * `recipient`: the asset or the recipient refuses the transfer.
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
