/** ISO 8601 durations. */
export const BILLING_INTERVALS = ['P1D', 'P1W', 'P1M', 'P1Y'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** Counts from the first date, so that the day returns after a short month (31 January, 28 February, 31 March). */
export function dueDate(first: Date, interval: BillingInterval, number: number): Date {
  switch (interval) {
    case 'P1D':
      return daysAfter(first, number);
    case 'P1W':
      return daysAfter(first, 7 * number);
    case 'P1M':
      return monthsAfter(first, number);
    case 'P1Y':
      return monthsAfter(first, 12 * number);
  }
}

/** @param days days of 24 hours, because UTC has no daylight saving time */
export function daysAfter(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 24 * 60 * 60 * 1_000);
}

function monthsAfter(date: Date, months: number): Date {
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const moved = new Date(date);
  moved.setUTCFullYear(year, month, Math.min(date.getUTCDate(), lastDay));
  return moved;
}
