import { isInTime } from './deadline-and-grace-rule.js';
import { matchesSelection, type Selection } from '../selection.js';
import type { Transfer } from '../transfer.js';

/** Whether a transfer pays one of these selections: to its address, in its asset, in time. */
export function paysSelection(
  selections: readonly Selection[],
  transfer: Transfer,
  expiresAt: Date,
): boolean {
  return selections.some(
    (selection) => matchesSelection(selection, transfer) && isInTime(transfer, selection, expiresAt),
  );
}
