import type { DepositReason } from '../../contract/payment-request-events.js';
import type { ChainProgress } from './outcome-rule.js';
import type { Progress } from './progress.js';
import { lastCounting } from './deadline-rule.js';
import { depositAddressOf, type DepositAddress } from './selection.js';
import type { RecordedTransfer } from './transfer.js';
import { depositReasonOf } from './deposit-reason-rule.js';

/** Final money beside what its request received, and by the terms of which address. */
export interface BesideOutcome {
  readonly transfer: RecordedTransfer;
  readonly to: DepositAddress;
  readonly reason: DepositReason;
}

/**
 * What of a request that has ended is to be booked as deposits now.
 * @param chains by network; on a network that is not among them nothing is known to be final
 */
export function depositable(
  { transfers, selections, expiresAt }: Progress,
  chains: ReadonlyMap<string, ChainProgress>,
): BesideOutcome[] {
  const wanted = selections.map((selection) => ({
    ...selection,
    countsUntil: lastCounting(selection, expiresAt),
  }));
  return transfers
    .filter((transfer) => isDepositable(transfer, chains.get(transfer.network)))
    .map((transfer) => ({
      transfer,
      to: depositAddressOf(selections, transfer),
      reason: depositReasonOf(transfer, wanted).reason,
    }));
}

function isDepositable(
  { blockNumber, counted, depositedAt, reversedAt, awaitsCrossCheck }: RecordedTransfer,
  chain: ChainProgress | undefined,
): boolean {
  const isFinal = blockNumber <= (chain?.final?.number ?? -1);
  return isFinal && !awaitsCrossCheck && !counted && depositedAt === null && reversedAt === null;
}
