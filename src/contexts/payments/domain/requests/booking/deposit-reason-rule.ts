import type { DepositReason } from '#contexts/payments/contract/payment-request-events.js';
import { matchesSelection, type OfferedAddress } from '../selection.js';
import { receivedTime, type Transfer } from '#contexts/chain-watching/contract/incoming-transfer.js';

/** Ordered by how close the transfer was to counting as payment, closest first. */
export const DEPOSIT_REASONS = [
  'late',
  'after_outcome',
  'other_asset',
] as const satisfies readonly DepositReason[];

export type DepositReasonDetail =
  | { readonly reason: 'late'; readonly countsUntil: Date }
  | { readonly reason: Exclude<DepositReason, 'late'> };

/** If the transfer matches no selection, the grace period of its network decides whether it is late. */
export function findDepositReason(
  transfer: Pick<Transfer, 'network' | 'uniqueAssetId' | 'to' | 'toTag' | 'arrivedAt' | 'blockTime'>,
  offered: readonly (OfferedAddress & { readonly countsUntil: Date })[],
): DepositReasonDetail {
  const matching = offered.filter((each) => matchesSelection(each, transfer));
  const deciding =
    matching.length > 0 ? matching : offered.filter(({ network }) => network === transfer.network);
  const [latest] = deciding.map(({ countsUntil }) => countsUntil).sort((a, b) => b.getTime() - a.getTime());
  if (latest !== undefined && receivedTime(transfer) > latest) return { reason: 'late', countsUntil: latest };
  return { reason: matching.length === 0 ? 'other_asset' : 'after_outcome' };
}
