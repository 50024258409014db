/** The simulation or balance differs from the planned payout. */
export interface PlanDifference {
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly reason: string;
  /** Explanation for the operator, as a sentence. */
  readonly says: string;
}

/** The token's contract returns no balance of the address. */
export const UNREADABLE_BALANCE = 'unreadable';

export interface SetAsidePayout extends PlanDifference {
  readonly network: string;
  readonly since: Date;
  readonly times: number;
  readonly retryAt: Date;
}

export type PayoutAddressAndAsset = Pick<PlanDifference, 'address' | 'uniqueAssetId'>;

/** Settlement terms (asset and settlement address) whose payouts were sent and cost gas but failed. */
export interface FailingTerms {
  readonly network: string;
  readonly settlementAddress: string;
  readonly uniqueAssetId: string;
  readonly says: string;
  /** Starts again after four weeks without a failure. */
  readonly times: number;
  readonly failedAt: Date;
  /** Time from which a single payout is tried again. Null once a payout succeeded. */
  readonly retryAt: Date | null;
}

/** Each further pause is four times as long. */
export const FIRST_TERMS_PAUSE_SECONDS = 3_600;
export const MAX_TERMS_PAUSE_SECONDS = 7 * 86_400;
/** Within this time, only one attempt may fail across all failing terms of an asset. */
export const MIN_SECONDS_BETWEEN_FAILURES = 3_600;
/** Longer than the longest pause. */
export const FAILURES_FORGOTTEN_AFTER_SECONDS = 28 * 86_400;

/** Each further pause is twice as long. */
export const FIRST_SET_ASIDE_PAUSE_SECONDS = 60;
export const MAX_SET_ASIDE_PAUSE_SECONDS = 6 * 3_600;
