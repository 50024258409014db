import type { Scope } from '#shared/kernel/scope.js';

/**
 * `requests`: payment requests by the day of their creation, by status. By the day of booking and by asset: `paid` (requests with an
 * outcome), `deposited` (money beside a payment), `reversed` (booked money that has disappeared from the chain), `refunded` (in final
 * blocks). `settled`: what went to settlement addresses, by the day of its block's record and by asset, final or in flight.
 * `paid_within`: payments by the day of booking, by the time from creation to it.
 */
export type Figure = 'requests' | 'paid' | 'paid_within' | 'deposited' | 'reversed' | 'settled' | 'refunded';

/** How the asset of a figure is called. */
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
  /** Smallest units of the asset; 0 where the figure has none. */
  readonly amount: bigint;
  /** Absent where the figure is of no asset. */
  readonly asset?: FigureAsset;
}

/** The most seconds that payments took, as the parts of `paid_within`; a slower one is `longer`. */
export const PAID_WITHIN_SECONDS = [15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400] as const;

export interface CountedAnalytics {
  /** Figures of nothing are left out. */
  readonly figures: readonly DailyFigure[];
  /** False where the event log had lost its beginning when counting began, and nothing was counted anew since. */
  readonly complete: boolean;
  /** The time of the oldest event that is not counted yet; null where all are. */
  readonly uncountedSince: Date | null;
}

/** Reads the figures that the event log has fed. */
export abstract class DailyAnalytics {
  /** All figures of a scope from a day on. One statement, which reads as much with a million payments as with one. */
  abstract since(scope: Scope, day: string): Promise<CountedAnalytics>;
}
