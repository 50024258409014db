import type { DepositReason } from '../../contract/payment-request-events.js';
import type { ChainProgress } from './chain-progress.js';
import type { Progress } from './progress.js';
import { lastCounting } from './deadline-and-grace-rule.js';
import { depositAddressOf, type DepositAddress } from './selection.js';
import type { RecordedTransfer } from './transfer.js';
import { depositReasonOf } from './deposit-reason-rule.js';

/** A final transfer that is not part of what its request received, and the deposit address whose terms apply. */
export interface Deposit {
  readonly transfer: RecordedTransfer;
  readonly depositAddress: DepositAddress;
  readonly reason: DepositReason;
}

/**
 * Transfers of an ended request that become deposits now.
 * @param chains by network; no transfer on another network is known to be final
 */
export function newDeposits(
  { transfers, selections, expiresAt }: Progress,
  chains: ReadonlyMap<string, ChainProgress>,
): Deposit[] {
  const wanted = selections.map((selection) => ({
    ...selection,
    countsUntil: lastCounting(selection, expiresAt),
  }));
  return transfers
    .filter((transfer) => isDepositable(transfer, chains.get(transfer.network)))
    .map((transfer) => ({
      transfer,
      depositAddress: depositAddressOf(selections, transfer),
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
