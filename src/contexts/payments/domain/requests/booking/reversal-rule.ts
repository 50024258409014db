import { sumAmounts, timeNotBeforeHistory, type RequestProgress } from '../outcome/progress.js';
import { subtractLostTransfer } from '../outcome/received-sums.js';
import { findDepositAddress, isSameAsset, type DepositAddress } from '../selection.js';
import { isEnded } from '../status.js';
import {
  compareByChainOrder,
  type RecordedTransfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';

export interface LostTransferReversal {
  readonly transfer: RecordedTransfer;
  readonly depositAddress: DepositAddress;
  readonly postedAs: 'payment_in' | 'deposit';
  /** Unreversed amount of the posting before this reversal, in smallest units. */
  readonly amountBefore: bigint;
  readonly at: Date;
}

type OutcomeFields = Pick<RequestProgress, 'confirmedAt' | 'selected' | 'outcomeBlock'>;

/** True if the transfer counts, in the asset of the outcome, and is not in a block after the deciding one. */
export function isPartOfOutcome(
  { confirmedAt, selected, outcomeBlock }: OutcomeFields,
  transfer: RecordedTransfer,
): boolean {
  if (!transfer.counted || confirmedAt === null || selected === null) return false;
  return isSameAsset(selected, transfer) && transfer.blockNumber <= (outcomeBlock ?? transfer.blockNumber);
}

export function isPosted(decided: OutcomeFields, transfer: RecordedTransfer): boolean {
  return transfer.depositedAt !== null || isPartOfOutcome(decided, transfer);
}

export type UnreversedDeposits = ReadonlyMap<string, bigint>;
export const NO_UNREVERSED_DEPOSITS: UnreversedDeposits = new Map();

/** Lost transfers that were posted are reversed, all others are removed. */
export function reverseLostTransfers(
  progress: RequestProgress,
  lost: readonly RecordedTransfer[],
  standing: UnreversedDeposits,
  now: Date,
): LostTransferReversal[] {
  const ids = new Set(lost.map(({ id }) => id));
  const reversals = buildReversals(progress, lost, standing, timeNotBeforeHistory(progress, now));
  const reversed = reversals.map(({ transfer }) => transfer);
  progress.transfers = [...progress.transfers.filter(({ id }) => !ids.has(id)), ...reversed];
  progress.reversedAmount += sumAmounts(reversed.filter(({ depositedAt }) => depositedAt === null));
  if (isEnded(progress.status)) return reversals;
  for (const transfer of lost)
    if (transfer.counted) progress.sums = subtractLostTransfer(progress.sums, transfer);
  return reversals;
}

/** Works in chain order, because each reversal reduces the amount of the posting with which the next one starts. */
function buildReversals(
  progress: RequestProgress,
  lost: readonly RecordedTransfer[],
  standing: UnreversedDeposits,
  now: Date,
): LostTransferReversal[] {
  let remaining = progress.receivedAmount - progress.reversedAmount;
  const left = new Map(standing);
  return lost
    .filter((transfer) => isPosted(progress, transfer))
    .sort(compareByChainOrder)
    .map((transfer) => {
      const { depositedAt, depositId, amount } = transfer;
      const depositAddress = findDepositAddress(progress.selections, transfer);
      const at = depositedAt !== null && now < depositedAt ? depositedAt : now;
      const reversed = { transfer: { ...transfer, counted: false, reversedAt: at }, depositAddress, at };
      if (depositId !== null) {
        const before = left.get(depositId);
        if (before === undefined) throw new Error(`The deposit ${depositId} is not known.`);
        left.set(depositId, before - amount);
        return { ...reversed, postedAs: 'deposit', amountBefore: before };
      }
      if (depositedAt !== null) return { ...reversed, postedAs: 'deposit', amountBefore: amount };
      const amountBefore = remaining;
      remaining -= amount;
      return { ...reversed, postedAs: 'payment_in', amountBefore };
    });
}
