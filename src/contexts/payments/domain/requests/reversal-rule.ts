import type { Progress } from './progress.js';
import { depositAddressOf, type DepositAddress } from './selection.js';
import { inChainOrder, type RecordedTransfer } from './transfer.js';

/** A transfer that was posted and has disappeared. */
export interface Reversal {
  readonly transfer: RecordedTransfer;
  readonly to: DepositAddress;
  readonly postedAs: 'payment_in' | 'deposit';
  /** What of that posting still stood before. */
  readonly stood: bigint;
  readonly at: Date;
}

/** Posted as part of an outcome, or as a deposit. */
export function isPosted({ confirmedAt }: Progress, { counted, depositedAt }: RecordedTransfer): boolean {
  return depositedAt !== null || (counted && confirmedAt !== null);
}

/** In chain order, so that each takes off what the one before has left. */
export function reversalsOf(progress: Progress, lost: readonly RecordedTransfer[], now: Date): Reversal[] {
  let stands = progress.receivedAmount - progress.reversedAmount;
  return lost
    .filter((transfer) => isPosted(progress, transfer))
    .sort(inChainOrder)
    .map((transfer) => {
      const { depositedAt, amount } = transfer;
      const to = depositAddressOf(progress.selections, transfer);
      const at = depositedAt !== null && now < depositedAt ? depositedAt : now;
      const gone = { transfer: { ...transfer, counted: false, reversedAt: at }, to, at };
      if (depositedAt !== null) return { ...gone, postedAs: 'deposit', stood: amount };
      const stood = stands;
      stands -= amount;
      return { ...gone, postedAs: 'payment_in', stood };
    });
}
