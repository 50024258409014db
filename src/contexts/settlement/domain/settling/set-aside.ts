/** A deposit address and asset whose simulation or balance differs from the planned payout. */
export interface PlanDifference {
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly reason: string;
  /** Explanation for the operator, as a sentence. */
  readonly says: string;
}

/** Reason of a plan difference: the token's contract returns no balance of the address. */
export const UNREADABLE_BALANCE = 'unreadable';

export interface AsidePayout extends PlanDifference {
  readonly network: string;
  readonly since: Date;
  /** Number of consecutive times that the payout was set aside. */
  readonly times: number;
  readonly retryAt: Date;
}

/** One asset of one deposit address. */
export type PayoutKey = Pick<PlanDifference, 'address' | 'uniqueAssetId'>;

/** Settlement terms (asset and settlement address) whose payouts were sent and cost gas but failed. */
export interface FailingTerms {
  readonly network: string;
  readonly settlementAddress: string;
  readonly uniqueAssetId: string;
  /** Explanation for the operator, as a sentence. */
  readonly says: string;
  /** Number of failures. Starts again after four weeks without a failure. */
  readonly times: number;
  readonly failedAt: Date;
  /** Time from which a single payout is tried again. Null once a payout succeeded. */
  readonly retryAt: Date | null;
}

/** Pause of failing terms after the first failure. Each further pause is four times as long. */
export const FIRST_TERMS_PAUSE_SECONDS = 3_600;
export const MAX_TERMS_PAUSE_SECONDS = 7 * 86_400;
/** Within this time, only one attempt may fail across all failing terms of an asset. */
export const MIN_SECONDS_BETWEEN_FAILURES = 3_600;
/** Time without a failure after which earlier failures no longer count. Longer than the longest pause. */
export const FAILURES_FORGOTTEN_AFTER_SECONDS = 28 * 86_400;

/** Pause after a payout is first set aside. Each further pause is twice as long. */
export const FIRST_SET_ASIDE_PAUSE_SECONDS = 60;
export const MAX_SET_ASIDE_PAUSE_SECONDS = 6 * 3_600;
