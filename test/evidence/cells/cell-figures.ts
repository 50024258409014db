/** Figures of one payment with the requests that nobody pays beside it. Sources: the pages on performance and on retention. */
export const FIGURES = {
  /** The soak pays one request of five. */
  requestsOfPayment: 5,
  /** Pages and indexes that stay for ever. */
  keptBytes: 10_822 + 4_317,
  /** Pages and indexes that stay for 90 days. */
  workingBytes: 1_974 + 1_188,
  /** The bytes of an unpaid request: growth of the soak, less that of the payment, shared among the four. */
  unpaidBytes: 3_000,
  /** Processor time of PostgreSQL, in milliseconds: a creation, and from block to settlement. */
  creationMs: 0.62,
  settledMs: 2.7,
} as const;

/** Values that no measurement here has shown: a choice of who plans cells. */
export const ASSUMED = {
  /** Kept in tables before it is archived. */
  monthsOnline: 13,
  /** Bytes a second of a restore, and of the copy of one organization beside a running service. */
  restoredPerSecond: 200e6,
  copiedPerSecond: 20e6,
  /** The busiest minute beside the average. */
  peak: 8,
  /** Half of 16 cores. */
  postgresCores: 8,
} as const;

const MONTH_SECONDS = (365 / 12) * 86_400;

export const bytesOfPayment = FIGURES.keptBytes + (FIGURES.requestsOfPayment - 1) * FIGURES.unpaidBytes;

/** Bytes in tables of an organization that has been paid so often a second for as long as they are kept. */
export function bytesAtRate(rate: number): number {
  const working = rate * 90 * 86_400 * FIGURES.workingBytes;
  return rate * ASSUMED.monthsOnline * MONTH_SECONDS * bytesOfPayment + working;
}

/** Cores of PostgreSQL in the busiest minute. */
export function coresAtRate(rate: number): number {
  const ms = FIGURES.requestsOfPayment * FIGURES.creationMs + FIGURES.settledMs;
  return (rate * ASSUMED.peak * ms) / 1_000;
}
