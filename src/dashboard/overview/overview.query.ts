import { AnyText } from '#shared/platform/http/validation/field-rules.js';

/** How many days an overview may be of; the first unless one is asked for. */
export const PERIODS = [7, 30] as const;

/** What cannot be read is left at the first period. */
export class OverviewQuery {
  @AnyText({ maxLength: 10 }, { optional: true })
  days?: string;
}

export function periodOf({ days }: OverviewQuery): number {
  return PERIODS.find((period) => String(period) === days) ?? PERIODS[0];
}

/** UTC days as YYYY-MM-DD, oldest first, today the last. */
export function daysUpTo(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, place) => {
    const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - (count - 1 - place));
    return new Date(day).toISOString().slice(0, 10);
  });
}
