import type { Charge } from './charge.js';

/** Charges in a row, unpaid through all their tries, after which a subscription is revoked. */
export const UNPAID_CHARGES_TO_REVOKE = 3;

/**
 * How many of the last charges decide what becomes of a subscription: those that revoke it, and the one after them, which
 * may be open already.
 */
export const KNOWN_CHARGES = UNPAID_CHARGES_TO_REVOKE + 1;

/**
 * A subscription is `past_due` while the last of its charges that was missed or paid was missed.
 * @param charges by number, the oldest first
 */
export function isPastDue(charges: readonly Charge[]): boolean {
  const judged = charges.findLast(({ isJudged }) => isJudged);
  return judged !== undefined && judged.snapshot.status !== 'paid';
}

/**
 * A subscription that is past due is revoked after `UNPAID_CHARGES_TO_REVOKE` unpaid charges in a row, also where the charge
 * after them is open already: the event that ends the last of them may arrive later.
 * @param charges by number, the oldest first
 */
export function isUnpaidTooLong(charges: readonly Charge[]): boolean {
  const isUnpaid = charges
    .slice(-KNOWN_CHARGES)
    .map((charge) => charge.isUnpaidThroughAllTries && charge.requestInFlight === undefined);
  return isUnpaid.some((_, first) => {
    const row = isUnpaid.slice(first, first + UNPAID_CHARGES_TO_REVOKE);
    return row.length === UNPAID_CHARGES_TO_REVOKE && row.every(Boolean);
  });
}
