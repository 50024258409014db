import { dayInZone, addDays, startOfDay } from '#shared/kernel/zoned-day.js';

/** Weeks start on Monday. */
export type ReportPeriod = 'week' | 'month';

/** A report is due six hours after its period: all entries are booked by then, and people begin to read email. */
const DUE_AFTER_MS = 6 * 3_600_000;

/** First day of the period that contains the given day. */
export function periodWith(period: ReportPeriod, day: string): string {
  if (period === 'month') return `${day.slice(0, 7)}-01`;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

/** First day of the next period. @param startsOn first day of this period */
export function nextPeriod(period: ReportPeriod, startsOn: string): string {
  return period === 'week' ? addDays(startsOn, 7) : periodWith('month', addDays(startsOn, 31));
}

/** The period as a time range [from, until), and the time when its report is due. */
export function rangeOf(
  period: ReportPeriod,
  startsOn: string,
  zone: string,
): { from: Date; until: Date; dueAt: Date } {
  const until = startOfDay(nextPeriod(period, startsOn), zone);
  return {
    from: startOfDay(startsOn, zone),
    until,
    dueAt: new Date(until.getTime() + DUE_AFTER_MS),
  };
}

/** First day of the current period in the time zone. */
export function presentPeriod(period: ReportPeriod, zone: string, now: Date): string {
  return periodWith(period, dayInZone(zone, now));
}
