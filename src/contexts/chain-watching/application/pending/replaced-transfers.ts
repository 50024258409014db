import type { Chains } from '#contexts/networks/contract/chains.js';
import {
  isPending,
  type IncomingTransfer,
  type FirstSight,
  type RecordedTransfer,
  type SightTimes,
  type Transfer,
} from '../../contract/incoming-transfer.js';

export type Sighted<T extends Transfer = IncomingTransfer> = T & { readonly sight: FirstSight };

/** The part of a transfer that decides which pending transfers it can replace. */
export type Replacing = Pick<Transfer, 'network' | 'transactionHash' | 'uniqueAssetId' | 'amount'> & {
  readonly sight: Pick<FirstSight, 'evidence'>;
};

/**
 * Pending transfers that conflict with a transaction: no chain can contain both.
 * @param outputs of that transaction, to one request
 * @param known transfers of that request
 */
export function replacedBy(
  outputs: readonly Replacing[],
  known: readonly RecordedTransfer[],
  chains: Chains,
): Sighted<RecordedTransfer>[] {
  const [{ network, transactionHash, sight }] = outputs as [Replacing];
  return known.filter(
    (transfer): transfer is Sighted<RecordedTransfer> =>
      isPending(transfer) &&
      transfer.transactionHash !== transactionHash &&
      transfer.sight !== undefined &&
      chains.of(network).pending!.conflict(sight.evidence, transfer.sight.evidence),
  );
}

/**
 * The first sight that a replacement transaction inherits: a payer who only raises the fee does not pay later. A transaction that
 * pays more than the replaced one is a new payment, so that a small early payment cannot reserve the price for a large one.
 */
export function inheritedSight(
  outputs: readonly Replacing[],
  replaced: readonly Sighted<RecordedTransfer>[],
): SightTimes | undefined {
  const sums = Map.groupBy(outputs, ({ uniqueAssetId }) => uniqueAssetId);
  const isNoMore = [...sums].every(
    ([asset, paid]) => sumOf(paid) <= sumOf(replaced.filter(({ uniqueAssetId }) => uniqueAssetId === asset)),
  );
  if (!isNoMore) return undefined;
  const latest = replaced.reduce((last, each) => (each.sight.seenAt > last.sight.seenAt ? each : last));
  return { seenAt: latest.sight.seenAt, lapsesAt: latest.sight.lapsesAt };
}

function sumOf(transfers: readonly Pick<Transfer, 'amount'>[]): bigint {
  return transfers.reduce((sum, { amount }) => sum + amount, 0n);
}
