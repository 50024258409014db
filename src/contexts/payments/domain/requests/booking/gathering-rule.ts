import type { Asset } from '#shared/kernel/asset.js';
import { type ChainProgress, inChainOrder, type RecordedTransfer, type Transfer } from '../transfer.js';

const DAY_MS = 86_400_000;

/**
 * A transfer below the minimum of its asset becomes no deposit by itself: anyone can send any number of such transfers.
 * @returns the UTC day with whose others it becomes one, as YYYY-MM-DD; null where it becomes one by itself
 */
export function gatheringDay(amount: bigint, asset: Asset, blockTime: Date): string | null {
  return amount < asset.minimumAmount ? blockTime.toISOString().slice(0, 10) : null;
}

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
