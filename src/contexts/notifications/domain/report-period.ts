import { dayIn, laterDay, startOfDay } from '#shared/kernel/zoned-day.js';

/** A week begins on a Monday. */
export type ReportPeriod = 'week' | 'month';

/** The moment at which a report is due: six hours after its period, when people begin to read mail and all is booked. */
const DUE_AFTER_MS = 6 * 3_600_000;

/** The first day of the period that has this day. */
export function periodWith(period: ReportPeriod, day: string): string {
  if (period === 'month') return `${day.slice(0, 7)}-01`;
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return laterDay(day, -weekday);
}

/** The first day of the period after the one that starts on this day. */
export function nextPeriod(period: ReportPeriod, startsOn: string): string {
  return period === 'week' ? laterDay(startsOn, 7) : periodWith('month', laterDay(startsOn, 31));
}

/** A period as an instant range [from, until), and the time at which its report is due. */
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

/** The first day of the period that it is now in the zone. */
export function presentPeriod(period: ReportPeriod, zone: string, now: Date): string {
  return periodWith(period, dayIn(zone, now));
}
