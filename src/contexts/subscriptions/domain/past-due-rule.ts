import type { Charge } from './charge.js';

export const UNPAID_CHARGES_TO_REVOKE = 3;

/** The consecutive unpaid charges that revoke a subscription, and the next charge, which may already be open. */
export const MAX_LOADED_CHARGES = UNPAID_CHARGES_TO_REVOKE + 1;

/** @param charges oldest first */
export function isPastDue(charges: readonly Charge[]): boolean {
  const latest = charges.findLast(({ isMissedOrPaid }) => isMissedOrPaid);
  return latest !== undefined && latest.snapshot.status !== 'paid';
}

/** The next charge may already be open, because the event that ends the last unpaid charge may arrive later. */
export function isUnpaidTooLong(charges: readonly Charge[]): boolean {
  const isUnpaid = charges
    .slice(-MAX_LOADED_CHARGES)
    .map((charge) => charge.isUnpaidThroughAllTries && charge.requestInFlight === undefined);
  return isUnpaid.some((_, first) => {
    const row = isUnpaid.slice(first, first + UNPAID_CHARGES_TO_REVOKE);
    return row.length === UNPAID_CHARGES_TO_REVOKE && row.every(Boolean);
  });
}
