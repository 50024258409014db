import { seenAmount, type ReceivedSum } from './received-sums.js';
import { isSameAsset, type Selection } from '../selection.js';

export interface PaidSelection {
  readonly selection: Selection;
  /** Smallest units. */
  readonly amount: bigint;
}

/**
 * All selections of a request have the same value at their locked rates, so shares of different assets are
 * comparable.
 */
export function findLargestShare<P extends PaidSelection>(paid: readonly P[]): P | undefined {
  return paid.reduce<P | undefined>(
    (largest, each) => (largest === undefined || hasLargerShare(each, largest) ? each : largest),
    undefined,
  );
}

/** Anyone can send a smallest unit, so a sum below the minimum of the asset has no effect until more is received. */
export function countsAsPayment({ selection, amount }: PaidSelection): boolean {
  return amount >= selection.minimumAmount || amount >= selection.amount;
}

/** In smallest units. Zero if the sum is too small to count as a payment. */
export function seenPaymentAmount(sums: readonly ReceivedSum[], selection: Selection): bigint {
  const amount = seenAmount(sums, selection);
  return countsAsPayment({ selection, amount }) ? amount : 0n;
}

/** The payer can then no longer change the asset. */
export function isPaymentSeen(selections: readonly Selection[], sums: readonly ReceivedSum[]): boolean {
  return findPaidSelections(selections, sums).length > 0;
}

/** The selection with the largest paid share, or the choice of the payer if nothing is paid. */
export function findLeadingSelection(
  selections: readonly Selection[],
  sums: readonly ReceivedSum[],
  selected: Selection,
): Selection {
  const isChosen = ({ selection }: PaidSelection) => Number(isSameAsset(selection, selected));
  const paid = findPaidSelections(selections, sums).sort((a, b) => isChosen(b) - isChosen(a));
  return findLargestShare(paid)?.selection ?? selected;
}

function findPaidSelections(selections: readonly Selection[], sums: readonly ReceivedSum[]): PaidSelection[] {
  return selections
    .map((selection) => ({ selection, amount: seenAmount(sums, selection) }))
    .filter(countsAsPayment);
}

function hasLargerShare(a: PaidSelection, b: PaidSelection): boolean {
  return a.amount * b.selection.amount > b.amount * a.selection.amount;
}
