import type { Asset } from '#shared/kernel/asset.js';

/** The coin in which a network charges its fees; it need not be an asset of this service. */
export type FeeCoin = Pick<Asset, 'symbol' | 'decimals' | 'peg'>;

/** The fee that a sender pays the network for one plain transfer. */
export interface TransferFee {
  /** In the smallest unit of the coin. */
  readonly amount: bigint;
  readonly coin: FeeCoin;
}

/** The fees of payers' transfers at the present price of gas, roughly: for pages that show a hint, never for a decision. */
export abstract class TransferFees {
  /**
   * Answers from memory, so that no page waits for a node; what is missing or older than a minute is asked for in the
   * background. The fee of a rollup for its base chain is not part of it.
   * @returns undefined while it is not known, as where no endpoint answers
   */
  abstract known(asset: Asset): TransferFee | undefined;
}
