import type { TenantScope } from '#shared/kernel/scope.js';

/**
 * Per UTC day and, except `requests` and `paid_within`, per asset. `paid_within`: time from creation to booking.
 * `deposited`: received outside a payment. `reversed`: booked funds that disappeared from the chain. `settled`: sent
 * to settlement addresses, final or not.
 */
export type AnalyticsMeasure =
  'requests' | 'paid' | 'paid_within' | 'deposited' | 'reversed' | 'settled' | 'refunded';

export interface AnalyticsAsset {
  readonly network: string;
  readonly currency: string;
  readonly decimals: number;
}

export interface DailyAnalyticsValue {
  readonly day: string;
  readonly figure: AnalyticsMeasure;
  /** A status, the unique id of an asset, or a `paid_within` bucket. */
  readonly part: string;
  readonly number: number;
  /** In smallest units. 0 if the figure has no amount. */
  readonly amount: bigint;
  readonly asset?: AnalyticsAsset;
}

/** In seconds. Slower payments count as `longer`. */
export const PAID_WITHIN_SECONDS = [15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400] as const;

export interface DailyAnalyticsView {
  readonly figures: readonly DailyAnalyticsValue[];
  /**
   * False if the oldest events were already archived when counting began, and analytics has not been rebuilt since.
   */
  readonly complete: boolean;
  readonly uncountedSince: Date | null;
}

export abstract class DailyAnalytics {
  /** The cost does not depend on the number of payments. */
  abstract since(scope: TenantScope, day: string): Promise<DailyAnalyticsView>;
}
