import { isInTime } from './deadline-and-grace-rule.js';
import { matchesSelection, type Selection } from './selection.js';
import type { Transfer } from './transfer.js';

/** The selection that a transfer pays: its address, its asset, in time; undefined where there is none. */
export function selectionPaidBy(
  selections: readonly Selection[],
  transfer: Transfer,
  expiresAt: Date,
): Selection | undefined {
  return selections.find(
    (selection) => matchesSelection(selection, transfer) && isInTime(transfer, selection, expiresAt),
  );
}

/** The selection that was paid first, and all transfers to it; undefined where none was paid in time. */
export function firstPaid<T extends Transfer>(
  transfers: readonly T[],
  selections: readonly Selection[],
  expiresAt: Date,
): { selection: Selection; by: T[] } | undefined {
  const paid = transfers
    .flatMap((transfer) => {
      const selection = selectionPaidBy(selections, transfer, expiresAt);
      return selection === undefined ? [] : [{ selection, transfer }];
    })
    .sort((a, b) => a.transfer.blockTime.getTime() - b.transfer.blockTime.getTime());
  const [first] = paid;
  if (first === undefined) return undefined;
  const { selection } = first;
  return { selection, by: paid.flatMap((each) => (each.selection === selection ? each.transfer : [])) };
}
