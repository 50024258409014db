import type { Asset } from '#shared/kernel/asset.js';

/** The coin need not be an asset of this service. */
export type FeeCoin = Pick<Asset, 'symbol' | 'decimals' | 'peg'>;

export interface TransferFee {
  /** Fee in the smallest unit of the coin. */
  readonly amount: bigint;
  readonly coin: FeeCoin;
}

/** Only for hints on pages, never for a decision. */
export abstract class TransferFees {
  /**
   * Returns the fee from memory, so that pages never wait for a node. Does not include a rollup's fee for its base
   * chain.
   */
  abstract cachedFee(asset: Asset): TransferFee | undefined;
}
