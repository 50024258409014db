import {
  type ChainProgress,
  isFinalTransfer,
  type FinalBlock,
  compareByChainOrder,
  type RecordedTransfer,
  type Transfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import { areNetworksReadPastDeadline } from './deadline-and-grace-rule.js';
import {
  countsAsPayment,
  findLargestShare,
  seenPaymentAmount,
  type PaidSelection,
} from './leading-selection-rule.js';
import type { RequestProgress } from './progress.js';
import { findSum, addFinalBlock, type ReceivedSum } from './received-sums.js';
import type { Selection } from '../selection.js';
import { isEnded, type OutcomeStatus } from '../status.js';

export interface PaymentOutcome {
  readonly status: OutcomeStatus;
  readonly selection: Selection;
  /** Smallest units. */
  readonly received: bigint;
  /** Last block whose transfers belong to the outcome. */
  readonly block: number;
  readonly last: Transfer;
}

/** `open`: the request does not end. `sums` include blocks that are final now. */
export type EndingDecision = { readonly sums: readonly ReceivedSum[] } & (
  { readonly kind: 'open' | 'expired' } | { readonly kind: 'outcome'; readonly outcome: PaymentOutcome }
);

type CountedTransfers = Pick<
  RequestProgress,
  'selections' | 'sums' | 'transfers' | 'finalTransfers' | 'lowestNonFinalBlocks'
>;

interface FullPayment extends PaidSelection {
  readonly block: number;
  readonly last: Transfer;
}

/**
 * A `created` request needs only the newest block read, because no payment awaits finality. An internal transfer may
 * be found long after the deadline although it was in time. The request therefore ends underpaid or expired only
 * after all its payments are final.
 */
export function decideEnding(
  progress: RequestProgress,
  chains: ReadonlyMap<string, ChainProgress>,
): EndingDecision {
  const { status, selected, selections, expiresAt } = progress;
  if (selected === null || isEnded(status)) return { kind: 'open', sums: progress.sums };
  const { sums, fullPayments } = sumFinalBlocks(progress, chains);
  if (fullPayments.length > 0) return { kind: 'outcome', outcome: toFullPaymentOutcome(fullPayments), sums };
  const far = status === 'created' ? 'head' : 'final';
  const isPastDeadline =
    chains.has(selected.network) && areNetworksReadPastDeadline(selections, chains, expiresAt, far);
  const awaitsFinality = selections.some(
    (selection) =>
      chains.has(selection.network) &&
      seenPaymentAmount(sums, selection) > (findSum(sums, selection)?.final ?? 0n),
  );
  if (!isPastDeadline || awaitsFinality) return { kind: 'open', sums };
  const outcome = decideOutcomeAtDeadline({ ...progress, sums });
  return outcome === null ? { kind: 'expired', sums } : { kind: 'outcome', outcome, sums };
}

function sumFinalBlocks(progress: CountedTransfers, chains: ReadonlyMap<string, ChainProgress>) {
  const fullPayments: FullPayment[] = [];
  let { sums } = progress;
  for (const [network, { final }] of chains) {
    if (final === null) continue;
    const summed = sumFinalBlocksOfNetwork({ ...progress, sums }, network, final);
    sums = summed.sums;
    if (summed.fullPayment !== null) fullPayments.push(summed.fullPayment);
  }
  return { sums, fullPayments };
}

/**
 * Sums block by block, so that the decision does not depend on how many blocks one call reads. A transfer that
 * awaits a cross-check may not exist, so its block and later blocks of its network decide nothing yet.
 */
function sumFinalBlocksOfNetwork(
  progress: CountedTransfers,
  network: string,
  final: FinalBlock,
): { sums: readonly ReceivedSum[]; fullPayment: FullPayment | null } {
  let { sums } = progress;
  const to = Math.min(final.number, lowestBlockAwaitingFinality(progress, network, final) - 1);
  const isNew = (transfer: Transfer) =>
    transfer.blockNumber <= to && transfer.blockNumber > (findSum(progress.sums, transfer)?.finalTo ?? to);
  const newTransfers = countedTransfersOn(progress, network).filter(isNew);
  for (const [block, inBlock] of Map.groupBy(newTransfers, ({ blockNumber }) => blockNumber)) {
    sums = addFinalBlock(sums, network, block, inBlock);
    const paid = findFullyPaidSelection(progress.selections, sums, network);
    if (paid !== undefined)
      return { sums, fullPayment: { ...paid, block, last: findLastTransferIn(inBlock, paid) } };
  }
  return { sums: addFinalBlock(sums, network, to), fullPayment: null };
}

/** The full payment with the earliest block timestamp decides. */
function toFullPaymentOutcome(fullPayments: readonly FullPayment[]): PaymentOutcome {
  const earliest = Math.min(...fullPayments.map(({ last }) => last.blockTime.getTime()));
  const first = findLargestShare(fullPayments.filter(({ last }) => last.blockTime.getTime() === earliest))!;
  const { selection, amount, block, last } = first;
  const status = amount === selection.amount ? 'completed' : 'overpaid';
  return { status, selection, received: amount, block, last };
}

function decideOutcomeAtDeadline(progress: CountedTransfers): PaymentOutcome | null {
  const { selections, sums } = progress;
  const largest = findLargestShare(
    selections.flatMap((selection) => {
      const sum = findSum(sums, selection);
      const paid = { selection, amount: sum?.final ?? 0n, block: sum?.finalTo ?? 0 };
      return countsAsPayment(paid) ? paid : [];
    }),
  );
  if (largest === undefined) return null;
  const { selection, amount, block } = largest;
  const last = countedTransfersOn(progress, selection.network)
    .filter(
      ({ uniqueAssetId, blockNumber }) => uniqueAssetId === selection.uniqueAssetId && blockNumber <= block,
    )
    .at(-1)!;
  return { status: 'underpaid', selection, received: amount, block, last };
}

/** Returns transfers in chain order. Those of earlier iterations are merged per selection and block. */
function countedTransfersOn({ finalTransfers, transfers }: CountedTransfers, network: string): Transfer[] {
  return [...finalTransfers, ...transfers.filter(({ counted }) => counted)]
    .filter((transfer) => transfer.network === network)
    .sort(compareByChainOrder);
}

/** A counted transfer in a final block may not be final. */
function lowestBlockAwaitingFinality(
  { lowestNonFinalBlocks, transfers }: CountedTransfers,
  network: string,
  final: FinalBlock,
): number {
  const awaited = transfers.filter(
    (transfer: RecordedTransfer) =>
      transfer.network === network &&
      transfer.counted &&
      (transfer.awaitsCrossCheck || !isFinalTransfer(transfer, final)),
  );
  const stored = lowestNonFinalBlocks.get(network) ?? Infinity;
  return awaited.reduce((lowest, { blockNumber }) => Math.min(lowest, blockNumber), stored);
}

function findFullyPaidSelection(
  selections: readonly Selection[],
  sums: readonly ReceivedSum[],
  network: string,
): PaidSelection | undefined {
  return findLargestShare(
    selections
      .filter((selection) => selection.network === network)
      .map((selection) => ({ selection, amount: findSum(sums, selection)?.final ?? 0n }))
      .filter(({ selection, amount }) => amount >= selection.amount),
  );
}

function findLastTransferIn(inBlock: readonly Transfer[], { selection }: PaidSelection): Transfer {
  return inBlock.findLast(({ uniqueAssetId }) => uniqueAssetId === selection.uniqueAssetId)!;
}
