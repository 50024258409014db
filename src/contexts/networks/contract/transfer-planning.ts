import type { Asset } from '#shared/kernel/asset.js';

/** A transfer from an account of the service, for the network's sender; simulated as it stands, it brought the whole amount. */
export interface PlannedTransfer {
  readonly call: {
    readonly to: string;
    readonly data: string;
    readonly value: bigint;
    readonly gasLimit: bigint;
  };
  /** The most that it may cost in gas and data at the fees of now, in the smallest unit of the native coin. */
  readonly gasCost: bigint;
}

/** The payment that a call makes by itself, if it is a plain transfer. */
export interface PaidByCall {
  /** The token's contract; null of the native coin. */
  readonly token: string | null;
  readonly to: string;
  /** Smallest units. */
  readonly amount: bigint;
}

/** Plans a transfer and proves it by simulation before anything is sent. */
export abstract class TransferPlanning {
  /** The call of such a transfer, made without asking a node. @param amount smallest units */
  abstract encode(
    network: string,
    asset: Pick<Asset, 'token' | 'symbol'>,
    to: string,
    amount: bigint,
  ): Omit<PlannedTransfer['call'], 'gasLimit'>;
  /**
   * @param from an account of the service. @param amount smallest units
   * @throws TransferRefused, ChainUnavailable
   */
  abstract plan(
    network: string,
    from: string,
    asset: Pick<Asset, 'token' | 'symbol'>,
    to: string,
    amount: bigint,
  ): Promise<PlannedTransfer>;
  /** Reads a call as `plan` makes them, without asking a node. @returns null where it is no such transfer */
  abstract paidBy(network: string, call: Omit<PlannedTransfer['call'], 'gasLimit'>): PaidByCall | null;
  /**
   * Answers whether the planned transfer moved the amount in its transaction, which succeeded. For a token its contract's
   * own `Transfer` event decides, since a contract may refuse without a failure. Every endpoint of the network is asked.
   * @throws ChainUnavailable while one does not answer, or they differ
   */
  abstract moved(network: string, transactionHash: string, transfer: TransferToPlan): Promise<boolean>;
}

export interface TransferToPlan {
  readonly from: string;
  readonly asset: Pick<Asset, 'token' | 'symbol'>;
  readonly to: string;
  readonly amount: bigint;
}

/**
 * Simulated, the transfer did not bring the amount. `balance`: the sender holds less of the asset. `recipient`: the asset or
 * the recipient refuses it.
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
