import { daysAfter } from './billing-interval.js';

/** Days after the due date; the first try is on the due date itself. */
export const TRY_DAYS = [0, 1, 3, 7];

/** When a charge is tried: the due date and its retries, without those on or after the next due date. */
export function triesOf(dueAt: Date, nextDueAt: Date): Date[] {
  return TRY_DAYS.map((days) => daysAfter(dueAt, days)).filter((at) => at < nextDueAt);
}
