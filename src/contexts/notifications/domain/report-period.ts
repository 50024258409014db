import { dayInZone, addDays, startOfDay } from '#shared/kernel/zoned-day.js';

/** Period that a report covers. Weeks start on Monday. */
export type ReportPeriod = 'week' | 'month';

/**
 * Time from the end of a period until its report is due, six hours: by then, all transactions of the period are
 * booked.
 */
const REPORT_DELAY_AFTER_PERIOD_MS = 6 * 3_600_000;

/** Returns the first day of the period that contains the given day. */
export function startOfPeriodWith(period: ReportPeriod, day: string): string {
  if (period === 'month') return `${day.slice(0, 7)}-01`;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

/** Returns the first day of the next period. @param startsOn first day of the current period */
export function startOfNextPeriod(period: ReportPeriod, startsOn: string): string {
  return period === 'week' ? addDays(startsOn, 7) : startOfPeriodWith('month', addDays(startsOn, 31));
}

/** Returns the period as a time range [from, until), with the time at which its report is due. */
export function rangeOfPeriod(
  period: ReportPeriod,
  startsOn: string,
  zone: string,
): { from: Date; until: Date; dueAt: Date } {
  const until = startOfDay(startOfNextPeriod(period, startsOn), zone);
  return {
    from: startOfDay(startsOn, zone),
    until,
    dueAt: new Date(until.getTime() + REPORT_DELAY_AFTER_PERIOD_MS),
  };
}

/** Returns the first day of the current period in the time zone. */
export function startOfCurrentPeriod(period: ReportPeriod, zone: string, now: Date): string {
  return startOfPeriodWith(period, dayInZone(zone, now));
}
