import {
  type ChainProgress,
  finalFrom,
  inChainOrder,
  type RecordedTransfer,
  type Transfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import { areReadPast } from './deadline-and-grace-rule.js';
import { isPayment, largestShare, paymentSeen, type Paid } from './leading-selection-rule.js';
import type { Progress } from './progress.js';
import { sumOf, withFinalBlock, type ReceivedSum } from './received-sums.js';
import type { Selection } from '../selection.js';
import { isEnded, type OutcomeStatus } from '../status.js';

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

/** `open`: the request does not end now. `sums`: the sums of the request, including the blocks that are final now. */
export type Ending = { readonly sums: readonly ReceivedSum[] } & (
  { readonly kind: 'open' | 'expired' } | { readonly kind: 'outcome'; readonly outcome: Outcome }
);

type Counts = Pick<Progress, 'selections' | 'sums' | 'transfers' | 'finals' | 'notFinalFrom'>;

interface FullPayment extends Paid {
  readonly block: number;
  readonly last: Transfer;
}

/**
 * Decides whether an open request ends now, from the blocks read.
 * 1. A selection that is fully paid by final transfers ends the request.
 * 2. After every network with a displayed address is read past the deadline, the largest share decides, or the request expires.
 *    For a `created` request the newest block read is enough, because no payment awaits finality.
 * 3. An in-time internal transfer may be found long after the deadline. The request therefore ends underpaid or expired only
 *    after all its payments are final. Networks that are no longer read are ignored.
 */
export function endingOf(progress: Progress, chains: ReadonlyMap<string, ChainProgress>): Ending {
  const { status, selected, selections, expiresAt } = progress;
  if (selected === null || isEnded(status)) return { kind: 'open', sums: progress.sums };
  const { sums, fullPayments } = sumFinalBlocks(progress, chains);
  if (fullPayments.length > 0) return { kind: 'outcome', outcome: fullOutcome(fullPayments), sums };
  const far = status === 'created' ? 'head' : 'final';
  const isPastDeadline = chains.has(selected.network) && areReadPast(selections, chains, expiresAt, far);
  const awaitsFinality = selections.some(
    (selection) =>
      chains.has(selection.network) && paymentSeen(sums, selection) > (sumOf(sums, selection)?.final ?? 0n),
  );
  if (!isPastDeadline || awaitsFinality) return { kind: 'open', sums };
  const outcome = underpaidOutcome({ ...progress, sums });
  return outcome === null ? { kind: 'expired', sums } : { kind: 'outcome', outcome, sums };
}

/** Adds the newly final blocks of every network to the sums. Each network has its own sums. */
function sumFinalBlocks(progress: Counts, chains: ReadonlyMap<string, ChainProgress>) {
  const fullPayments: FullPayment[] = [];
  let { sums } = progress;
  for (const [network, { final }] of chains) {
    if (final === null) continue;
    const summed = sumBlocksOf({ ...progress, sums }, network, final.number);
    sums = summed.sums;
    if (summed.fullPayment !== null) fullPayments.push(summed.fullPayment);
  }
  return { sums, fullPayments };
}

/**
 * Adds the newly final transfers of a network to the sums, block by block, so that every replica always reaches the same decision.
 * The first final block in which a selection is fully paid ends the request. Later transfers are outside the outcome, even if
 * final. A transfer that awaits a cross-check may not exist, so its block and later blocks of its network decide nothing.
 */
function sumBlocksOf(
  progress: Counts,
  network: string,
  finalNumber: number,
): { sums: readonly ReceivedSum[]; fullPayment: FullPayment | null } {
  let { sums } = progress;
  const to = Math.min(finalNumber, lowestAwaited(progress, network, finalNumber) - 1);
  const isNew = (transfer: Transfer) =>
    transfer.blockNumber <= to && transfer.blockNumber > (sumOf(progress.sums, transfer)?.finalTo ?? to);
  const newTransfers = finalOnes(progress, network).filter(isNew);
  for (const [block, inBlock] of Map.groupBy(newTransfers, ({ blockNumber }) => blockNumber)) {
    sums = withFinalBlock(sums, network, block, inBlock);
    const paid = fullyPaid(progress.selections, sums, network);
    if (paid !== undefined) return { sums, fullPayment: { ...paid, block, last: lastIn(inBlock, paid) } };
  }
  return { sums: withFinalBlock(sums, network, to), fullPayment: null };
}

/** The outcome of the earliest full payment, by block timestamp. */
function fullOutcome(fullPayments: readonly FullPayment[]): Outcome {
  const earliest = Math.min(...fullPayments.map(({ last }) => last.blockTime.getTime()));
  const first = largestShare(fullPayments.filter(({ last }) => last.blockTime.getTime() === earliest))!;
  const { selection, amount, block, last } = first;
  const status = amount === selection.amount ? 'completed' : 'overpaid';
  return { status, selection, received: amount, block, last };
}

/** The outcome with the largest share at the deadline, or null if no payment was received. */
function underpaidOutcome(progress: Counts): Outcome | null {
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

/** Counted transfers in chain order. Transfers of earlier iterations are merged per selection and block. */
function finalOnes({ finals, transfers }: Counts, network: string): Transfer[] {
  return [...finals, ...transfers.filter(({ counted }) => counted)]
    .filter((transfer) => transfer.network === network)
    .sort(inChainOrder);
}

/** The lowest block with a counted transfer that is not final, although the block is. */
function lowestAwaited({ notFinalFrom, transfers }: Counts, network: string, finalNumber: number): number {
  const awaited = transfers.filter(
    (transfer: RecordedTransfer) =>
      transfer.network === network &&
      transfer.counted &&
      (transfer.awaitsCrossCheck || finalFrom(transfer) > finalNumber),
  );
  const stored = notFinalFrom.get(network) ?? Infinity;
  return awaited.reduce((lowest, { blockNumber }) => Math.min(lowest, blockNumber), stored);
}

function fullyPaid(
  selections: readonly Selection[],
  sums: readonly ReceivedSum[],
  network: string,
): Paid | undefined {
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
