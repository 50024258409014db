import { seenOf, type ReceivedSum } from './received-sums.js';
import { isSame, type Selection } from '../selection.js';

/** An amount of a selection's asset. */
export interface Paid {
  readonly selection: Selection;
  /** Smallest units. */
  readonly amount: bigint;
}

/**
 * The selection of which the largest share is paid, the first of equal ones. Selections of one request are worth the same
 * by their locked rates, so a share of the amount is a share in value.
 */
export function largestShare<P extends Paid>(paid: readonly P[]): P | undefined {
  return paid.reduce<P | undefined>(
    (largest, each) => (largest === undefined || isLarger(each, largest) ? each : largest),
    undefined,
  );
}

/**
 * A sum below the minimum of its asset is no payment: anyone can send a smallest unit to any address. It changes nothing until
 * more arrives; then all of it counts. Every check whether a payment was seen, and every outcome, follows this rule.
 * @param amount the sum received in the selection, in smallest units
 */
export function isPayment({ selection, amount }: Paid): boolean {
  return amount >= selection.minimumAmount || amount >= selection.amount;
}

/** The sum seen in a selection, in smallest units; zero while it is no payment. */
export function paymentSeen(sums: readonly ReceivedSum[], selection: Selection): bigint {
  const amount = seenOf(sums, selection);
  return isPayment({ selection, amount }) ? amount : 0n;
}

/** True once a payment in any of the assets was seen, so that the choice is made. */
export function isPaymentSeen(selections: readonly Selection[], sums: readonly ReceivedSum[]): boolean {
  return withPayments(selections, sums).length > 0;
}

/** An open request is shown with the selection that has the largest share, else with the payer's choice. */
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
