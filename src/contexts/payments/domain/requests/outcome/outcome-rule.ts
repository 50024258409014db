import {
  type ChainProgress,
  finalFrom,
  inChainOrder,
  type RecordedTransfer,
  type Transfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import { isPayment, largestShare, type Paid } from './leading-selection-rule.js';
import type { Progress } from './progress.js';
import { sumOf, withFinalBlock } from './received-sums.js';
import type { Selection } from '../selection.js';
import type { OutcomeStatus } from '../status.js';

export interface Outcome {
  readonly status: OutcomeStatus;
  readonly selection: Selection;
  /** Smallest units. */
  readonly received: bigint;
  /** Last block that belongs to the outcome. */
  readonly block: number;
  /** Last transfer that belongs to the outcome. */
  readonly last: Transfer;
}

type Counts = Pick<Progress, 'selections' | 'sums' | 'transfers' | 'finals' | 'notFinalFrom'>;

interface FullPayment extends Paid {
  readonly block: number;
  readonly last: Transfer;
}

/**
 * Adds newly final transfers to the sums of selections, block by block, so that every replica always reaches the same decision.
 * The first final block in which a selection is fully paid ends the request. Later transfers are outside the outcome, even if
 * final. A transfer that awaits a cross-check may not exist, so its block and later blocks of its network decide nothing.
 */
export function addFinalBlocks(progress: Counts, chains: ReadonlyMap<string, ChainProgress>): Outcome | null {
  const paid = [...chains].flatMap(([network, { final }]) =>
    final === null ? [] : (addBlocksOf(progress, network, final.number) ?? []),
  );
  if (paid.length === 0) return null;
  const earliest = Math.min(...paid.map(({ last }) => last.blockTime.getTime()));
  const first = largestShare(paid.filter(({ last }) => last.blockTime.getTime() === earliest))!;
  const { selection, amount, block, last } = first;
  const status = amount === selection.amount ? 'completed' : 'overpaid';
  return { status, selection, received: amount, block, last };
}

/** Returns the outcome with the largest share at the deadline, or null if no payment was received. */
export function largestFinal(progress: Counts): Outcome | null {
  const { selections, sums } = progress;
  const largest = largestShare(
    selections.flatMap((selection) => {
      const sum = sumOf(sums, selection);
      const paid = { selection, amount: sum?.final ?? 0n, block: sum?.finalTo ?? 0 };
      return isPayment(paid) ? paid : [];
    }),
  );
  if (largest === undefined) return null;
  const { selection, amount, block } = largest;
  const last = finalOnes(progress, selection.network)
    .filter(
      ({ uniqueAssetId, blockNumber }) => uniqueAssetId === selection.uniqueAssetId && blockNumber <= block,
    )
    .at(-1)!;
  return { status: 'underpaid', selection, received: amount, block, last };
}

function addBlocksOf(progress: Counts, network: string, finalNumber: number): FullPayment | null {
  const counted = finalOnes(progress, network);
  const to = Math.min(finalNumber, lowestAwaited(progress, network, finalNumber) - 1);
  const isNew = (transfer: Transfer) =>
    transfer.blockNumber <= to && transfer.blockNumber > (sumOf(progress.sums, transfer)?.finalTo ?? to);
  for (const [block, inBlock] of Map.groupBy(counted.filter(isNew), ({ blockNumber }) => blockNumber)) {
    progress.sums = withFinalBlock(progress.sums, network, block, inBlock);
    const paid = fullyPaid(progress, network);
    if (paid !== undefined) return { ...paid, block, last: lastIn(inBlock, paid) };
  }
  progress.sums = withFinalBlock(progress.sums, network, to);
  return null;
}

/** Returns counted transfers in chain order. Transfers of earlier iterations are merged per selection and block. */
function finalOnes({ finals, transfers }: Counts, network: string): Transfer[] {
  return [...finals, ...transfers.filter(({ counted }) => counted)]
    .filter((transfer) => transfer.network === network)
    .sort(inChainOrder);
}

/** Returns the lowest block with a counted transfer that is not final, although the block is. */
function lowestAwaited({ notFinalFrom, transfers }: Counts, network: string, finalNumber: number): number {
  const isAwaited = (transfer: RecordedTransfer) =>
    transfer.awaitsCrossCheck || finalFrom(transfer) > finalNumber;
  return transfers.reduce(
    (lowest, transfer) =>
      transfer.network === network && transfer.counted && isAwaited(transfer)
        ? Math.min(lowest, transfer.blockNumber)
        : lowest,
    notFinalFrom.get(network) ?? Infinity,
  );
}

function fullyPaid({ selections, sums }: Counts, network: string): Paid | undefined {
  return largestShare(
    selections
      .filter((selection) => selection.network === network)
      .map((selection) => ({ selection, amount: sumOf(sums, selection)?.final ?? 0n }))
      .filter(({ selection, amount }) => amount >= selection.amount),
  );
}

function lastIn(inBlock: readonly Transfer[], { selection }: Paid): Transfer {
  return inBlock.findLast(({ uniqueAssetId }) => uniqueAssetId === selection.uniqueAssetId)!;
}
