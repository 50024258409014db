import {
  type ChainProgress,
  compareByChainOrder,
  type RecordedTransfer,
  type Transfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';

const DAY_MS = 86_400_000;

/** True if all blocks of the day on which the transfer is aggregated are final, or if it is not aggregated. */
export function isAggregationDayFinal(
  { gatheredOn }: RecordedTransfer,
  final: NonNullable<ChainProgress['final']>,
): boolean {
  return gatheredOn === null || Date.parse(gatheredOn) + DAY_MS <= final.time.getTime();
}

/** Returns groups in chain order. Small transfers are aggregated by asset, address and day. */
export function groupIntoDeposits(transfers: readonly RecordedTransfer[]): RecordedTransfer[][] {
  const groups = Map.groupBy([...transfers].sort(compareByChainOrder), depositGroupKey);
  return [...groups.values()];
}

function depositGroupKey({ id, network, uniqueAssetId, to, toTag, gatheredOn }: RecordedTransfer): string {
  return gatheredOn === null ? id : JSON.stringify([network, uniqueAssetId, to, toTag, gatheredOn]);
}

/** The id of the last transfer is also the id of the deposit. */
export function lastTransferOf<T extends Transfer>(transfers: readonly T[]): T {
  return transfers.at(-1)!;
}
