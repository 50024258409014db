import { dayInZone, addDays, startOfDay } from '#shared/kernel/zoned-day.js';

export type ReportPeriod = 'week' | 'month';

/** All transactions of the period are booked by then. */
const REPORT_DELAY_AFTER_PERIOD_MS = 6 * 3_600_000;

export function startOfPeriodContaining(period: ReportPeriod, day: string): string {
  if (period === 'month') return `${day.slice(0, 7)}-01`;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

export function startOfNextPeriod(period: ReportPeriod, startsOn: string): string {
  return period === 'week' ? addDays(startsOn, 7) : startOfPeriodContaining('month', addDays(startsOn, 31));
}

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

export function startOfCurrentPeriod(period: ReportPeriod, zone: string, now: Date): string {
  return startOfPeriodContaining(period, dayInZone(zone, now));
}
