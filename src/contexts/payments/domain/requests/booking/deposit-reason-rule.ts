import type { DepositReason } from '#contexts/payments/contract/payment-request-events.js';
import { matchesSelection, type OfferedAddress } from '../selection.js';
import { arrivalTime, type Transfer } from '#contexts/chain-watching/contract/incoming-transfer.js';

/** The nearest miss first. */
export const DEPOSIT_REASONS = [
  'late',
  'after_outcome',
  'other_asset',
] as const satisfies readonly DepositReason[];

export type DepositReasonFound =
  | { readonly reason: 'late'; readonly countsUntil: Date }
  | { readonly reason: Exclude<DepositReason, 'late'> };

/**
 * The reason why a transfer to an address of a request is not part of its payment. Ledger and explanations use the same.
 * A transfer that no selection asked for is late by the grace of its network.
 * @param offered every asset the payer was shown, with the last block timestamp that counts for it
 */
export function depositReasonOf(
  transfer: Pick<Transfer, 'network' | 'uniqueAssetId' | 'to' | 'toTag' | 'arrivedAt' | 'blockTime'>,
  offered: readonly (OfferedAddress & { readonly countsUntil: Date })[],
): DepositReasonFound {
  const matching = offered.filter((each) => matchesSelection(each, transfer));
  const deciding =
    matching.length > 0 ? matching : offered.filter(({ network }) => network === transfer.network);
  const [latest] = deciding.map(({ countsUntil }) => countsUntil).sort((a, b) => b.getTime() - a.getTime());
  if (latest !== undefined && arrivalTime(transfer) > latest) return { reason: 'late', countsUntil: latest };
  return { reason: matching.length === 0 ? 'other_asset' : 'after_outcome' };
}
