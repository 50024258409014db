import { daysAfter } from './billing-interval.js';

/** Days after the due date; the first try is on the due date itself. */
export const TRY_DAYS = [0, 1, 3, 7];

/** When a charge is tried: the due date and its retries, of which those on or after the next due date fall away. */
export function triesOf(dueAt: Date, nextDueAt: Date): Date[] {
  return TRY_DAYS.map((days) => daysAfter(dueAt, days)).filter((at) => at < nextDueAt);
}

/** Charges in a row, unpaid through all their tries, after which a subscription is revoked. */
export const UNPAID_CHARGES_TO_REVOKE = 3;

/** The last charges that decide what becomes of a subscription: those, and the one after them, which may be open already. */
export const KNOWN_CHARGES = UNPAID_CHARGES_TO_REVOKE + 1;
