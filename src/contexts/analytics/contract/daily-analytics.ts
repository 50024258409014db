import type { Scope } from '#shared/kernel/scope.js';

/**
 * Per UTC day and, except `requests` and `paid_within`, per asset. `paid_within`: time from creation to booking.
 * `deposited`: received outside a payment. `reversed`: booked funds that disappeared from the chain. `settled`: sent
 * to settlement addresses, final or not.
 */
export type Figure = 'requests' | 'paid' | 'paid_within' | 'deposited' | 'reversed' | 'settled' | 'refunded';

export interface FigureAsset {
  readonly network: string;
  readonly currency: string;
  readonly decimals: number;
}

export interface DailyFigure {
  readonly day: string;
  readonly figure: Figure;
  /** A status, the unique id of an asset, or a `paid_within` bucket. */
  readonly part: string;
  readonly number: number;
  /** In smallest units. 0 if the figure has no amount. */
  readonly amount: bigint;
  readonly asset?: FigureAsset;
}

/** In seconds. Slower payments count as `longer`. */
export const PAID_WITHIN_SECONDS = [15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400] as const;

export interface CountedAnalytics {
  readonly figures: readonly DailyFigure[];
  /**
   * False if the oldest events were already archived when counting began, and analytics has not been rebuilt since.
   */
  readonly complete: boolean;
  readonly uncountedSince: Date | null;
}

export abstract class DailyAnalytics {
  /** The cost does not depend on the number of payments. */
  abstract since(scope: Scope, day: string): Promise<CountedAnalytics>;
}
