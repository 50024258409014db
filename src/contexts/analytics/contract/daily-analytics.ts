import type { Scope } from '#shared/kernel/scope.js';

/**
 * Analytics per UTC day. All except `requests` and `paid_within` are counted per asset.
 *
 * - `requests`: payment requests by status, by the day of creation.
 * - `paid`: payment requests whose outcome is booked, by the day of booking.
 * - `paid_within`: payments by the time from creation to booking, by the day of booking.
 * - `deposited`: funds received outside a payment, by the day of booking.
 * - `reversed`: booked funds that disappeared from the chain, by the day of the reversal.
 * - `refunded`: refunds in final blocks, by the day of completion.
 * - `settled`: funds sent to settlement addresses, final or not, by the day on which their block was recorded.
 */
export type Figure = 'requests' | 'paid' | 'paid_within' | 'deposited' | 'reversed' | 'settled' | 'refunded';

export interface FigureAsset {
  readonly network: string;
  readonly currency: string;
  readonly decimals: number;
}

export interface DailyFigure {
  /** UTC day, as YYYY-MM-DD. */
  readonly day: string;
  readonly figure: Figure;
  /** Counted part of the figure: a status, the unique id of an asset, or a `paid_within` bucket. */
  readonly part: string;
  readonly number: number;
  /** Amount in smallest units of the asset. 0 if the figure has no amount. */
  readonly amount: bigint;
  /** Asset that was counted. Absent if the figure is not counted per asset. */
  readonly asset?: FigureAsset;
}

/** Upper bounds in seconds of the `paid_within` buckets. Slower payments count as `longer`. */
export const PAID_WITHIN_SECONDS = [15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400] as const;

export interface CountedAnalytics {
  /** Figures that are zero are omitted. */
  readonly figures: readonly DailyFigure[];
  /** False if the oldest events were already archived when counting began, and analytics has not been rebuilt since. */
  readonly complete: boolean;
  /** Time of the oldest event that is not counted yet. Null if all events are counted. */
  readonly uncountedSince: Date | null;
}

/** Daily analytics, counted from the event log. */
export abstract class DailyAnalytics {
  /**
   * Returns all figures of a scope since a day, in one statement whose cost does not depend on the number of payments.
   */
  abstract since(scope: Scope, day: string): Promise<CountedAnalytics>;
}
