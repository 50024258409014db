import {
  type ChainProgress,
  inChainOrder,
  type RecordedTransfer,
  type Transfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';

const DAY_MS = 86_400_000;

/** All blocks of its day are final, or it has none. */
export function isDayOver(
  { gatheredOn }: RecordedTransfer,
  final: NonNullable<ChainProgress['final']>,
): boolean {
  return gatheredOn === null || Date.parse(gatheredOn) + DAY_MS <= final.time.getTime();
}

/** Groups of transfers that become one deposit each, in chain order: those of one asset, address and day, or one alone. */
export function gathered(transfers: readonly RecordedTransfer[]): RecordedTransfer[][] {
  const groups = Map.groupBy([...transfers].sort(inChainOrder), groupOf);
  return [...groups.values()];
}

function groupOf({ id, network, uniqueAssetId, to, toTag, gatheredOn }: RecordedTransfer): string {
  return gatheredOn === null ? id : JSON.stringify([network, uniqueAssetId, to, toTag, gatheredOn]);
}

/** A deposit is named by the last of its transfers. */
export function lastOf<T extends Transfer>(transfers: readonly T[]): T {
  return transfers.at(-1)!;
}
