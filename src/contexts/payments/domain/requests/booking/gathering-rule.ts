import {
  type ChainProgress,
  inChainOrder,
  type RecordedTransfer,
  type Transfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';

const DAY_MS = 86_400_000;

/** Returns true if all blocks of the transfer's day are final, or if the transfer is not aggregated by day. */
export function isDayOver(
  { gatheredOn }: RecordedTransfer,
  final: NonNullable<ChainProgress['final']>,
): boolean {
  return gatheredOn === null || Date.parse(gatheredOn) + DAY_MS <= final.time.getTime();
}

/** Groups transfers into deposits, in chain order. Aggregates by asset, address and day; other transfers stay separate. */
export function gathered(transfers: readonly RecordedTransfer[]): RecordedTransfer[][] {
  const groups = Map.groupBy([...transfers].sort(inChainOrder), groupOf);
  return [...groups.values()];
}

function groupOf({ id, network, uniqueAssetId, to, toTag, gatheredOn }: RecordedTransfer): string {
  return gatheredOn === null ? id : JSON.stringify([network, uniqueAssetId, to, toTag, gatheredOn]);
}

/** The last transfer gives a deposit its id. */
export function lastOf<T extends Transfer>(transfers: readonly T[]): T {
  return transfers.at(-1)!;
}
