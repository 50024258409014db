/** One asset of one address, and what was not as planned. */
export interface PlanDifference {
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly reason: string;
  /** A sentence for the operator. */
  readonly says: string;
}

/** Reason of a difference: the token's contract shows no balance of the address. */
export const UNREADABLE = 'unreadable';

export interface AsidePayout extends PlanDifference {
  readonly network: string;
  readonly since: Date;
  /** How often it was set aside in a row. */
  readonly times: number;
  readonly retryAt: Date;
}

/** One asset of one deposit address. */
export type AsidePlace = Pick<PlanDifference, 'address' | 'uniqueAssetId'>;

/** One asset of one settlement address whose payouts were sent, cost gas and were not paid out. */
export interface FailingTerms {
  readonly network: string;
  readonly settlementAddress: string;
  readonly uniqueAssetId: string;
  /** A sentence for the operator. */
  readonly says: string;
  /** How often, until it has not failed for four weeks. */
  readonly times: number;
  readonly failedAt: Date;
  /** After this time one payout is tried, alone. Null once one was paid out. */
  readonly retryAt: Date | null;
}

/** After the first failure in execution; each further pause is four times as long. */
export const FIRST_TERMS_PAUSE_SECONDS = 3_600;
export const MAX_TERMS_PAUSE_SECONDS = 7 * 86_400;
/** One attempt may fail within that time, among all failing terms of an asset. */
export const BETWEEN_FAILED_ATTEMPTS_SECONDS = 3_600;
/** Terms that have not failed for so long are as others are. Longer than the longest pause. */
export const FAILURE_LASTS_SECONDS = 28 * 86_400;

/** After the first time; each further pause is twice as long. */
export const FIRST_PAUSE_SECONDS = 60;
export const MAX_PAUSE_SECONDS = 6 * 3_600;

/** Payouts that are left out of runs for a while, so that the others go on. */
export abstract class SetAside {
  /** With a longer pause each time. @returns those that were not set aside for that reason before */
  abstract add(network: string, differences: readonly PlanDifference[]): Promise<PlanDifference[]>;
  /** Removes payouts that were planned as they should be, and others at which nothing waits any more. */
  abstract remove(network: string, payouts: readonly AsidePlace[]): Promise<void>;
  /**
   * Their terms' payouts are left out, also those of other addresses, with a longer pause each time. Counted once for all
   * payouts of one settlement address and asset.
   */
  abstract addFailing(network: string, payouts: readonly AsidePlace[], says: string): Promise<FailingTerms[]>;
  /** They were paid out: pauses of their terms end. How often these failed stays known. */
  abstract removeFailing(network: string, payouts: readonly AsidePlace[]): Promise<void>;
  abstract failing(network: string, most: number): Promise<FailingTerms[]>;
  /** Ends all pauses, so that the next run plans these payouts again. @returns the number of payouts and terms */
  abstract retryAll(network: string): Promise<number>;
  /** Oldest first. */
  abstract list(network: string, most: number): Promise<AsidePayout[]>;
}
