import type { Progress } from './progress.js';
import { depositAddressOf, type DepositAddress } from './selection.js';
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

/** Posted as part of an outcome, or as a deposit. */
export function isPosted({ confirmedAt }: Progress, { counted, depositedAt }: RecordedTransfer): boolean {
  return depositedAt !== null || (counted && confirmedAt !== null);
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
