import type { Scope } from '#shared/kernel/scope.js';

/**
 * Figures per UTC day. All but `requests` and `paid_within` are by asset.
 *
 * - `requests`: payment requests by status, on the day of their creation.
 * - `paid`: requests with an outcome, on the day of booking.
 * - `paid_within`: payments by time from creation to booking, on the day of booking.
 * - `deposited`: funds received outside a payment, on the day of booking.
 * - `reversed`: booked funds that disappeared from the chain, on the day of the reversal.
 * - `refunded`: refunds in final blocks, on the day of completion.
 * - `settled`: funds sent to settlement addresses, final or in flight, on the day their block was recorded.
 */
export type Figure = 'requests' | 'paid' | 'paid_within' | 'deposited' | 'reversed' | 'settled' | 'refunded';

export interface FigureAsset {
  readonly network: string;
  readonly currency: string;
  readonly decimals: number;
}

export interface DailyFigure {
  /** UTC, as YYYY-MM-DD. */
  readonly day: string;
  readonly figure: Figure;
  /** The status, the unique id of the asset, or one of `PAID_WITHIN`. */
  readonly part: string;
  readonly number: number;
  /** Smallest units of the asset; 0 if the figure has no amount. */
  readonly amount: bigint;
  /** Absent if the figure does not belong to an asset. */
  readonly asset?: FigureAsset;
}

/** Upper bounds in seconds of the `paid_within` parts. Slower payments count as `longer`. */
export const PAID_WITHIN_SECONDS = [15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400] as const;

export interface CountedAnalytics {
  /** Figures that are zero are omitted. */
  readonly figures: readonly DailyFigure[];
  /** False if the event log was already pruned when counting began and has not been recounted since. */
  readonly complete: boolean;
  /** Time of the oldest event that is not counted yet; null if all are counted. */
  readonly uncountedSince: Date | null;
}

/** Fed from the event log. */
export abstract class DailyAnalytics {
  /** Returns all figures of a scope since a day. One statement, whose cost does not depend on the number of payments. */
  abstract since(scope: Scope, day: string): Promise<CountedAnalytics>;
}
