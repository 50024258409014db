import { Posting } from '../balanced-posting.js';
import { netAfterFee } from '../on-chain-movement.js';
import type { Transaction } from '../transaction.js';
import type { SourceStatus } from './facts.js';
import type { AddedJournalLines, SettlementLink, PayoutWithUnbookedFunds } from './transaction-updates.js';

export interface PayoutAwaitingBookedFunds extends PayoutWithUnbookedFunds {
  readonly status: SourceStatus;
  readonly lines: number;
  readonly linkedNet: bigint;
}

export interface LateLinkRows {
  readonly links: SettlementLink[];
  readonly lines: AddedJournalLines[];
  readonly payouts: PayoutWithUnbookedFunds[];
}

/**
 * Each transaction is linked to the oldest payout of its address that has enough uncovered amount. For a fully
 * covered payout, the merchant was owed the linked net amount, and the difference is booked as rounding.
 * @param waiting oldest first
 */
export function linkLateFunds(
  booked: readonly Transaction[],
  waiting: readonly PayoutAwaitingBookedFunds[],
): LateLinkRows {
  const late: LateLinkRows = { links: [], lines: [], payouts: [] };
  const left = [...waiting];
  for (const transaction of booked) {
    const at = left.findIndex((payout) => isPayoutOf(payout, transaction));
    if (at === -1) continue;
    const payout = left[at]!;
    const { withdrawalId, settlementId, organizationId, accountId } = payout;
    late.links.push({ transactionId: transaction.id, withdrawalId, settlementId, organizationId, accountId });
    const uncovered = payout.uncovered - transaction.grossAmount;
    left[at] = { ...payout, uncovered, linkedNet: payout.linkedNet + transaction.netAmount };
    if (uncovered === 0n) bookRounding(left, at, late);
  }
  late.payouts.push(...left.filter((payout, at) => payout.uncovered !== waiting[at]!.uncovered));
  return late;
}

function isPayoutOf(payout: PayoutAwaitingBookedFunds, transaction: Transaction): boolean {
  return (
    transaction.grossAmount > 0n &&
    transaction.grossAmount <= payout.uncovered &&
    transaction.accountId === payout.accountId &&
    transaction.paymentRequestId === payout.paymentRequestId &&
    transaction.uniqueAssetId === payout.uniqueAssetId &&
    transaction.to.address.toLowerCase() === payout.address
  );
}

function bookRounding(left: PayoutAwaitingBookedFunds[], at: number, late: LateLinkRows): void {
  const { withdrawalId, organizationId, accountId, uniqueAssetId, ...payout } = left[at]!;
  const more = payout.linkedNet - netAfterFee(payout.gross, payout.feeBasisPoints);
  if (payout.status !== 'completed' || more === 0n) return;
  const posting = Posting.createBalanced([
    { ledgerAccount: 'merchant_payable', uniqueAssetId, amount: more },
    { ledgerAccount: 'rounding', uniqueAssetId, amount: -more },
  ]);
  late.lines.push({
    transactionId: withdrawalId,
    organizationId,
    accountId,
    firstLine: payout.lines + 1,
    posting,
  });
  // All payouts of one settlement add lines to the same transaction, so their line numbers must continue.
  for (const [other, each] of left.entries())
    if (each.withdrawalId === withdrawalId)
      left[other] = { ...each, lines: each.lines + posting.entries.length };
}
