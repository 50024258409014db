/** One asset of one address, and what was not as planned. */
export interface Difference {
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly reason: string;
  /** A sentence for the operator. */
  readonly says: string;
}

/** Reason of a difference: the token's contract gives no balance of the address. */
export const UNREADABLE = 'unreadable';

export interface AsidePayout extends Difference {
  readonly network: string;
  readonly since: Date;
  /** How often it was set aside in a row. */
  readonly times: number;
  readonly retryAt: Date;
}

/** After the first time; each further pause is twice as long. */
export const FIRST_PAUSE_SECONDS = 60;
export const LONGEST_PAUSE_SECONDS = 6 * 3_600;

/** Payouts that are left out of runs for a while, so that the others go on. */
export abstract class SetAside {
  /** With a longer pause each time. @returns those that were not set aside for that reason before */
  abstract add(network: string, differences: readonly Difference[]): Promise<Difference[]>;
  /** They were planned as they should be. Others at which nothing waits any more are forgotten too. */
  abstract remove(
    network: string,
    payouts: readonly Pick<Difference, 'address' | 'uniqueAssetId'>[],
  ): Promise<void>;
  /** Ends all pauses. @returns of how many */
  abstract retryAll(network: string): Promise<number>;
  /** Oldest first. */
  abstract list(network: string, most: number): Promise<AsidePayout[]>;
}
