import type { Asset } from '#shared/kernel/asset.js';

/** The coin in which a network charges fees. It need not be an asset of this service. */
export type FeeCoin = Pick<Asset, 'symbol' | 'decimals' | 'peg'>;

export interface TransferFee {
  /** Fee in the smallest unit of the coin. */
  readonly amount: bigint;
  readonly coin: FeeCoin;
}

/** Estimates fees of payers' transfers at the current gas price. Only for hints on pages, never for a decision. */
export abstract class TransferFees {
  /**
   * Returns the fee from memory, so that pages never wait for a node. A fee that is missing or older than a minute is
   * refreshed in the background. Does not include a rollup's fee for its base chain.
   * @returns undefined while the fee is unknown, for example if no endpoint answers
   */
  abstract known(asset: Asset): TransferFee | undefined;
}
