import type { DepositReason } from '#contexts/payments/contract/payment-request-events.js';
import {
  finalFrom,
  type ChainProgress,
  type RecordedTransfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import type { Progress } from '../outcome/progress.js';
import { lastCounting } from '../outcome/deadline-and-grace-rule.js';
import { depositAddressOf, type DepositAddress, isSame } from '../selection.js';
import { depositReasonOf } from './deposit-reason-rule.js';
import { gathered, isDayOver, lastOf } from './gathering-rule.js';
import { isPartOfOutcome } from './reversal-rule.js';

/**
 * A deposit: final transfers outside the payment of their request, and the deposit address whose settlement terms
 * apply.
 */
export interface Deposit {
  /** Transfers of the deposit in chain order. More than one only if the deposit is aggregated. */
  readonly transfers: readonly RecordedTransfer[];
  readonly depositAddress: DepositAddress;
  /** Reason why the last transfer is not part of the payment. */
  readonly reason: DepositReason;
}

/**
 * Groups the transfers of an ended request that become deposits now.
 * @param chains progress by network. Transfers on networks without progress count as not final
 */
export function newDeposits(
  { transfers, selections, expiresAt }: Progress,
  chains: ReadonlyMap<string, ChainProgress>,
): Deposit[] {
  const offered = selections.map((selection) => ({
    ...selection,
    countsUntil: lastCounting(selection, expiresAt),
  }));
  const due = transfers.filter((transfer) => isDepositable(transfer, chains.get(transfer.network)));
  return gathered(due).map((together) => ({
    transfers: together,
    depositAddress: depositAddressOf(selections, lastOf(together)),
    reason: depositReasonOf(lastOf(together), offered).reason,
  }));
}

export function withDeposits(
  transfers: readonly RecordedTransfer[],
  deposits: readonly Deposit[],
  depositedAt: Date,
): RecordedTransfer[] {
  const changes = deposits.flatMap(({ transfers: together }) =>
    together.map(({ id, gatheredOn }) => {
      const depositId = gatheredOn === null ? null : lastOf(together).id;
      return [id, { depositedAt, depositId }] as const;
    }),
  );
  const byId = new Map(changes);
  return transfers.map((transfer) => ({ ...transfer, ...byId.get(transfer.id) }));
}

function isDepositable(transfer: RecordedTransfer, { final = null }: Partial<ChainProgress> = {}): boolean {
  const { counted, depositedAt, reversedAt, awaitsCrossCheck } = transfer;
  if (final === null || finalFrom(transfer) > final.number || !isDayOver(transfer, final)) return false;
  return !awaitsCrossCheck && !counted && depositedAt === null && reversedAt === null;
}

/**
 * Stops counting the transfers of an ended request that are outside its outcome, so that they become deposits. Only
 * loaded transfers change here. The others wait for later iterations, because anyone can send any number of
 * transfers.
 */
export function uncountRest(progress: Progress): void {
  const { confirmedAt, selected, receivedAmount, sums } = progress;
  const stops = progress.transfers.filter((each) => each.counted && !isPartOfOutcome(progress, each));
  progress.uncounting = sums.some((sum) => {
    const part = confirmedAt !== null && selected !== null && isSame(selected, sum) ? receivedAmount : 0n;
    const known = stops.filter((each) => isSame(each, sum));
    return known.reduce((rest, { amount }) => rest - amount, sum.seen - part) > 0n;
  });
  const ids = new Set(stops.map(({ id }) => id));
  progress.transfers = progress.transfers.map((each) =>
    ids.has(each.id) ? { ...each, counted: false } : each,
  );
}
