/** ISO 8601 durations between due dates. */
export const BILLING_INTERVALS = ['P1D', 'P1W', 'P1M', 'P1Y'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/**
 * Due date `number` of a series, in UTC; 0 is `first` itself. Counted from the first date, not from the one before: after a
 * short month the day is the first date's again (31 January, 28 February, 31 March).
 */
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

/** @param days of 24 hours: a day in UTC has no other length */
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
