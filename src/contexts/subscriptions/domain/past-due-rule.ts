import type { Charge } from './charge.js';

/** A subscription is revoked after this many consecutive charges stayed unpaid through all attempts. */
export const UNPAID_CHARGES_TO_REVOKE = 3;

/**
 * Number of latest charges that decide the status of a subscription: the consecutive unpaid charges that revoke it, and
 * the next charge, which may already be open.
 */
export const LOADED_CHARGES = UNPAID_CHARGES_TO_REVOKE + 1;

/**
 * @returns true if the latest charge that was either missed or paid was missed
 * @param charges oldest first
 */
export function isPastDue(charges: readonly Charge[]): boolean {
  const latest = charges.findLast(({ isMissedOrPaid }) => isMissedOrPaid);
  return latest !== undefined && latest.snapshot.status !== 'paid';
}

/**
 * @returns true after `UNPAID_CHARGES_TO_REVOKE` consecutive unpaid charges, even if the next charge is already open,
 * because the event that ends the last unpaid charge may arrive later
 * @param charges oldest first
 */
export function isUnpaidTooLong(charges: readonly Charge[]): boolean {
  const isUnpaid = charges
    .slice(-LOADED_CHARGES)
    .map((charge) => charge.isUnpaidThroughAllTries && charge.requestInFlight === undefined);
  return isUnpaid.some((_, first) => {
    const row = isUnpaid.slice(first, first + UNPAID_CHARGES_TO_REVOKE);
    return row.length === UNPAID_CHARGES_TO_REVOKE && row.every(Boolean);
  });
}
