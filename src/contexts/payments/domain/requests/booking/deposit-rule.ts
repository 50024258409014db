import type { DepositReason } from '#contexts/payments/contract/payment-request-events.js';
import {
  isFinalTransfer,
  type ChainProgress,
  type RecordedTransfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import type { RequestProgress } from '../outcome/progress.js';
import { paymentCutoffTime } from '../outcome/deadline-and-grace-rule.js';
import { findDepositAddress, type DepositAddress, isSameAsset } from '../selection.js';
import { findDepositReason } from './deposit-reason-rule.js';
import { groupIntoDeposits, isAggregationDayFinal, lastTransferOf } from './gathering-rule.js';
import { isPartOfOutcome } from './reversal-rule.js';

export interface Deposit {
  /** Sorted in chain order. More than one only if the deposit is aggregated. */
  readonly transfers: readonly RecordedTransfer[];
  readonly depositAddress: DepositAddress;
  readonly reason: DepositReason;
}

export function collectNewDeposits(
  { transfers, selections, expiresAt }: RequestProgress,
  chains: ReadonlyMap<string, ChainProgress>,
): Deposit[] {
  const offered = selections.map((selection) => ({
    ...selection,
    countsUntil: paymentCutoffTime(selection, expiresAt),
  }));
  const due = transfers.filter((transfer) => isDepositable(transfer, chains.get(transfer.network)));
  return groupIntoDeposits(due).map((together) => ({
    transfers: together,
    depositAddress: findDepositAddress(selections, lastTransferOf(together)),
    reason: findDepositReason(lastTransferOf(together), offered).reason,
  }));
}

export function markDeposited(
  transfers: readonly RecordedTransfer[],
  deposits: readonly Deposit[],
  depositedAt: Date,
): RecordedTransfer[] {
  const changes = deposits.flatMap(({ transfers: together }) =>
    together.map(({ id, gatheredOn }) => {
      const depositId = gatheredOn === null ? null : lastTransferOf(together).id;
      return [id, { depositedAt, depositId }] as const;
    }),
  );
  const byId = new Map(changes);
  return transfers.map((transfer) => ({ ...transfer, ...byId.get(transfer.id) }));
}

function isDepositable(transfer: RecordedTransfer, { final = null }: Partial<ChainProgress> = {}): boolean {
  const { counted, depositedAt, reversedAt, awaitsCrossCheck } = transfer;
  if (final === null || !isFinalTransfer(transfer, final) || !isAggregationDayFinal(transfer, final))
    return false;
  return !awaitsCrossCheck && !counted && depositedAt === null && reversedAt === null;
}

/**
 * Changes only loaded transfers, because anyone can send any number of transfers. Later iterations change the others.
 */
export function uncountTransfersOutsideOutcome(progress: RequestProgress): void {
  const { confirmedAt, selected, receivedAmount, sums } = progress;
  const stops = progress.transfers.filter((each) => each.counted && !isPartOfOutcome(progress, each));
  progress.uncounting = sums.some((sum) => {
    const part =
      confirmedAt !== null && selected !== null && isSameAsset(selected, sum) ? receivedAmount : 0n;
    const known = stops.filter((each) => isSameAsset(each, sum));
    return known.reduce((rest, { amount }) => rest - amount, sum.seen - part) > 0n;
  });
  const ids = new Set(stops.map(({ id }) => id));
  progress.transfers = progress.transfers.map((each) =>
    ids.has(each.id) ? { ...each, counted: false } : each,
  );
}
