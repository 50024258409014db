import type { Scope } from '#shared/kernel/scope.js';
import type { PaymentRequestStatus } from './payment-request-events.js';

/** The amount that requests created on one UTC day have received in one asset. */
export interface DayVolume {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly uniqueAssetId: string;
  readonly network: string;
  readonly currency: string;
  readonly decimals: number;
  readonly payments: number;
  /** Smallest units of the asset. */
  readonly amount: bigint;
}

export interface DayCount {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly status: PaymentRequestStatus;
  readonly count: number;
}

/** Payment requests by the UTC day of their creation. Days and statuses without any are absent. */
export interface PaymentFigures {
  readonly counts: readonly DayCount[];
  /** Sums of requests with an outcome; money that is not final yet is not included. */
  readonly volumes: readonly DayVolume[];
  /**
   * Seconds from creation to the ledger's record: half of the requests, and nine tenths of them, took at most so long.
   * Absent where none was paid.
   */
  readonly secondsToPay?: { readonly median: number; readonly ninth: number };
}

/** Figures for the dashboard's overview. */
export abstract class PaymentFiguresQueries {
  /** One statement, whose cost grows with the number of requests in the range. @param from included, the range has no end */
  abstract since(scope: Scope, from: Date): Promise<PaymentFigures>;
}
