import { amountOf, notBeforeLastStep, type Progress } from '../outcome/progress.js';
import { withoutLost } from '../outcome/received-sums.js';
import { depositAddressOf, isSame, type DepositAddress } from '../selection.js';
import { isEnded } from '../status.js';
import { inChainOrder, type RecordedTransfer } from '#contexts/chain-watching/contract/incoming-transfer.js';

/** A transfer that was posted and then disappeared from the chain. */
export interface Reversal {
  readonly transfer: RecordedTransfer;
  readonly depositAddress: DepositAddress;
  readonly postedAs: 'payment_in' | 'deposit';
  /** Smallest units of that posting that were not reversed before. */
  readonly amountBefore: bigint;
  readonly at: Date;
}

type Decided = Pick<Progress, 'confirmedAt' | 'selected' | 'outcomeBlock'>;

/** A counted transfer in the asset of the outcome, in its block or an earlier one. */
export function isPartOfOutcome(
  { confirmedAt, selected, outcomeBlock }: Decided,
  transfer: RecordedTransfer,
): boolean {
  if (!transfer.counted || confirmedAt === null || selected === null) return false;
  return isSame(selected, transfer) && transfer.blockNumber <= (outcomeBlock ?? transfer.blockNumber);
}

/** Posted as part of an outcome, or as a deposit. */
export function isPosted(decided: Decided, transfer: RecordedTransfer): boolean {
  return transfer.depositedAt !== null || isPartOfOutcome(decided, transfer);
}

/** The amounts of gathered deposits that are not reversed, by deposit. */
export type StandingDeposits = ReadonlyMap<string, bigint>;
export const NO_DEPOSITS: StandingDeposits = new Map();

/**
 * Transfers, as they were recorded before, are no longer in the chain: those that were posted are reversed, and the others are
 * forgotten.
 */
export function takeBack(
  progress: Progress,
  lost: readonly RecordedTransfer[],
  standing: StandingDeposits,
  now: Date,
): Reversal[] {
  const ids = new Set(lost.map(({ id }) => id));
  const reversals = reversalsOf(progress, lost, standing, notBeforeLastStep(progress, now));
  const reversed = reversals.map(({ transfer }) => transfer);
  progress.transfers = [...progress.transfers.filter(({ id }) => !ids.has(id)), ...reversed];
  progress.reversedAmount += amountOf(reversed.filter(({ depositedAt }) => depositedAt === null));
  if (isEnded(progress.status)) return reversals;
  for (const transfer of lost) if (transfer.counted) progress.sums = withoutLost(progress.sums, transfer);
  return reversals;
}

/** In chain order: each reversal of a part of a posting reduces what the next one of that posting starts from. */
function reversalsOf(
  progress: Progress,
  lost: readonly RecordedTransfer[],
  standing: StandingDeposits,
  now: Date,
): Reversal[] {
  let remaining = progress.receivedAmount - progress.reversedAmount;
  const left = new Map(standing);
  return lost
    .filter((transfer) => isPosted(progress, transfer))
    .sort(inChainOrder)
    .map((transfer) => {
      const { depositedAt, depositId, amount } = transfer;
      const depositAddress = depositAddressOf(progress.selections, transfer);
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
