import type { Progress } from './progress.js';
import { depositAddressOf, isSame, type DepositAddress } from './selection.js';
import { inChainOrder, type RecordedTransfer } from './transfer.js';

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

/** In chain order: each reversal of a part of the outcome reduces what the next one starts from. */
export function reversalsOf(progress: Progress, lost: readonly RecordedTransfer[], now: Date): Reversal[] {
  let remaining = progress.receivedAmount - progress.reversedAmount;
  return lost
    .filter((transfer) => isPosted(progress, transfer))
    .sort(inChainOrder)
    .map((transfer) => {
      const { depositedAt, amount } = transfer;
      const depositAddress = depositAddressOf(progress.selections, transfer);
      const at = depositedAt !== null && now < depositedAt ? depositedAt : now;
      const reversed = { transfer: { ...transfer, counted: false, reversedAt: at }, depositAddress, at };
      if (depositedAt !== null) return { ...reversed, postedAs: 'deposit', amountBefore: amount };
      const amountBefore = remaining;
      remaining -= amount;
      return { ...reversed, postedAs: 'payment_in', amountBefore };
    });
}
