import type { Asset } from '#shared/kernel/asset.js';
import type { ExpectedBalance } from '../../contract/native-balances.js';
import { paidAmount, type RecordedPayout } from '../../domain/recorded-payouts.js';
import type { TransferOfRequest } from '../../contract/recorded-transfers.js';
import type { IncomingTransfer } from '../../contract/incoming-transfer.js';
import type { TransfersByRequest } from '../transfers-by-request.js';

export interface UnrecordedMovements {
  readonly arrived: readonly TransfersByRequest[];
  readonly payouts: readonly RecordedPayout[];
  /** Recorded transfers that are about to be reversed. */
  readonly refuted: readonly TransferOfRequest[];
  readonly refutedPayouts: readonly RecordedPayout[];
}

export function netMovementUpTo(
  number: number,
  { address, paymentRequestId }: ExpectedBalance,
  { uniqueAssetId }: Asset,
  { arrived, payouts, refuted, refutedPayouts }: UnrecordedMovements,
): bigint {
  const isIn = (transfer: Pick<IncomingTransfer, 'to' | 'uniqueAssetId' | 'blockNumber'>) =>
    transfer.to === address && transfer.uniqueAssetId === uniqueAssetId && transfer.blockNumber <= number;
  const paidOut = (found: readonly RecordedPayout[]) =>
    found
      .filter((payout) => payout.address === address && payout.uniqueAssetId === uniqueAssetId)
      .filter((payout) => payout.blockNumber <= number)
      .reduce((total, payout) => total + paidAmount(payout), 0n);
  return (
    sumAmounts(arrived.flatMap((list) => list.get(paymentRequestId) ?? []).filter(isIn)) -
    paidOut(payouts) -
    sumAmounts(refuted.map(({ transfer }) => transfer).filter(isIn)) +
    paidOut(refutedPayouts)
  );
}

/** The time since which a refuted transfer may have hidden an internal transfer. */
export function hiddenTransferPossibleSince(
  { uniqueAssetId }: Asset,
  { refuted }: UnrecordedMovements,
  address?: string,
): Date | null {
  const times = refuted
    .map(({ transfer }) => transfer)
    .filter(
      (transfer) => transfer.uniqueAssetId === uniqueAssetId && transfer.to === (address ?? transfer.to),
    )
    .map(({ blockTime }) => blockTime.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}

export function limitKnownTime(knownAt: Date | null, hidden: Date | null): Date | null {
  if (knownAt === null || hidden === null || knownAt < hidden) return knownAt;
  return new Date(hidden.getTime() - 1);
}

function sumAmounts(amounts: readonly { readonly amount: bigint }[]): bigint {
  return amounts.reduce((total, { amount }) => total + amount, 0n);
}
