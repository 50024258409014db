import { dayInZone, addDays } from '#shared/kernel/zoned-day.js';
import type { Word } from '#shared/web/dashboard/words/text.js';

export interface DayRange {
  readonly label: Word;
  readonly from: string;
  readonly to: string;
}

export function dayRangesAt(now: Date, zone: string): DayRange[] {
  const today = dayInZone(zone, now);
  const month = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1;
  const quarter = month - (month % 3);
  return [
    { label: 'This month', ...rangeOfMonths(month, 1) },
    { label: 'Last month', ...rangeOfMonths(month - 1, 1) },
    { label: 'This quarter', ...rangeOfMonths(quarter, 3) },
    { label: 'Last quarter', ...rangeOfMonths(quarter - 3, 3) },
  ];
}

function rangeOfMonths(first: number, count: number): Omit<DayRange, 'label'> {
  return { from: firstDayOf(first), to: addDays(firstDayOf(first + count), -1) };
}

function firstDayOf(month: number): string {
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
