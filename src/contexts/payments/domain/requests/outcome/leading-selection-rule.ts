import { seenOf, type ReceivedSum } from './received-sums.js';
import { isSame, type Selection } from '../selection.js';

export interface Paid {
  readonly selection: Selection;
  /** Smallest units. */
  readonly amount: bigint;
}

/**
 * Returns the selection of which the largest share is paid; the first one if several are equal. All selections of a
 * request have the same value at their locked rates, so shares of different assets are comparable.
 */
export function largestShare<P extends Paid>(paid: readonly P[]): P | undefined {
  return paid.reduce<P | undefined>(
    (largest, each) => (largest === undefined || isLarger(each, largest) ? each : largest),
    undefined,
  );
}

/**
 * Returns true if the sum received in a selection counts as a payment. Anyone can send a smallest unit, so a sum
 * below the minimum of the asset has no effect until more is received. Then the total counts.
 * @param amount sum received in the selection, in smallest units
 */
export function isPayment({ selection, amount }: Paid): boolean {
  return amount >= selection.minimumAmount || amount >= selection.amount;
}

/**
 * Returns the sum of seen transfers in a selection, in smallest units. Zero if the sum is too small to count as a
 * payment.
 */
export function paymentSeen(sums: readonly ReceivedSum[], selection: Selection): bigint {
  const amount = seenOf(sums, selection);
  return isPayment({ selection, amount }) ? amount : 0n;
}

/** Returns true if a payment in any asset was seen. The payer can then no longer change the asset. */
export function isPaymentSeen(selections: readonly Selection[], sums: readonly ReceivedSum[]): boolean {
  return withPayments(selections, sums).length > 0;
}

/**
 * Returns the selection to display: the selection with the largest paid share, or the choice of the payer if
 * nothing is paid.
 */
export function leadingSelection(
  selections: readonly Selection[],
  sums: readonly ReceivedSum[],
  selected: Selection,
): Selection {
  const isChosen = ({ selection }: Paid) => Number(isSame(selection, selected));
  const paid = withPayments(selections, sums).sort((a, b) => isChosen(b) - isChosen(a));
  return largestShare(paid)?.selection ?? selected;
}

function withPayments(selections: readonly Selection[], sums: readonly ReceivedSum[]): Paid[] {
  return selections.map((selection) => ({ selection, amount: seenOf(sums, selection) })).filter(isPayment);
}

function isLarger(a: Paid, b: Paid): boolean {
  return a.amount * b.selection.amount > b.amount * a.selection.amount;
}
