import type { DepositReason } from '../contract/payment-request-events.js';
import type { ChainProgress } from './outcome.js';
import type { Progress } from './progress.js';
import { depositAddressOf, isAskedFor, lastCounting, type Deposit, type Selection } from './selection.js';
import type { RecordedTransfer, Transfer } from './transfer.js';

/** Final money beside what its request received, and by the terms of which address. */
export interface BesideOutcome {
  readonly transfer: RecordedTransfer;
  readonly to: Deposit;
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
  return transfers
    .filter((transfer) => isDepositable(transfer, chains.get(transfer.network)))
    .map((transfer) => ({
      transfer,
      to: depositAddressOf(selections, transfer),
      reason: depositReason(transfer, selections, expiresAt),
    }));
}

function isDepositable(
  { blockNumber, counted, depositedAt, reversedAt, awaitsAgreement }: RecordedTransfer,
  chain: ChainProgress | undefined,
): boolean {
  const isFinal = blockNumber <= (chain?.final?.number ?? -1);
  return isFinal && !awaitsAgreement && !counted && depositedAt === null && reversedAt === null;
}

/** Where nothing was asked for in its asset at its address, the grace of its network says what was too late. */
function depositReason(transfer: Transfer, selections: readonly Selection[], expiresAt: Date): DepositReason {
  const asked = selections.filter((selection) => isAskedFor(selection, transfer));
  const near = selections.filter(({ network }) => network === transfer.network);
  const judges = asked.length > 0 ? asked : near;
  if (judges.every((selection) => transfer.blockTime > lastCounting(selection, expiresAt))) return 'late';
  return asked.length === 0 ? 'other_asset' : 'after_outcome';
}
