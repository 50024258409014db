import type { DepositReason } from '../../contract/payment-request-events.js';
import { isAskedFor, type Wanted } from './selection.js';
import type { Transfer } from './transfer.js';

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
 * Why a transfer to an address of a request is no part of what it received: the ledger and whoever asks are told the
 * same. Where nothing was asked for in its asset at its address, the grace of its network says what was too late.
 * @param wanted every asset the payer was shown, with the last block timestamp that counts for it
 */
export function depositReasonOf(
  transfer: Pick<Transfer, 'network' | 'uniqueAssetId' | 'to' | 'blockTime'>,
  wanted: readonly (Wanted & { readonly countsUntil: Date })[],
): DepositReasonFound {
  const asked = wanted.filter((each) => isAskedFor(each, transfer));
  const judges = asked.length > 0 ? asked : wanted.filter(({ network }) => network === transfer.network);
  const [latest] = judges.map(({ countsUntil }) => countsUntil).sort((a, b) => b.getTime() - a.getTime());
  if (latest !== undefined && transfer.blockTime > latest) return { reason: 'late', countsUntil: latest };
  return { reason: asked.length === 0 ? 'other_asset' : 'after_outcome' };
}
