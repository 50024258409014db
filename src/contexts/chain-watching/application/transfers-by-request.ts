import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { IncomingTransfer, Transfer } from '../contract/incoming-transfer.js';

export type TransfersByRequest<T extends IncomingTransfer = IncomingTransfer> = ReadonlyMap<
  PaymentRequestId,
  readonly T[]
>;

export function transferKey({ transactionHash, index }: Pick<Transfer, 'transactionHash' | 'index'>): string {
  return `${transactionHash} ${index}`;
}

/** Key of all fields in which two reads of a block can differ. */
export function transferContentKey(transfer: Transfer): string {
  const { kind, transactionHash, index, from, to, toTag = '', amount } = transfer;
  // Contract addresses in the catalogue may be written with or without upper-case letters.
  const asset = transfer.uniqueAssetId.toLowerCase();
  return `${kind} ${transactionHash} ${index} ${asset} ${from} ${to} ${toTag} ${amount} ${transfer.blockHash}`;
}

export function mergeTransfers(
  ...maps: readonly TransfersByRequest[]
): Map<PaymentRequestId, IncomingTransfer[]> {
  const all = new Map<PaymentRequestId, IncomingTransfer[]>();
  for (const map of maps)
    for (const [id, transfers] of map) all.set(id, [...(all.get(id) ?? []), ...transfers]);
  return all;
}

/** A transfer in both reads occurs once in the result. */
export function mergeDistinctTransfers(
  one: TransfersByRequest,
  other: TransfersByRequest = new Map(),
): TransfersByRequest {
  const all = new Map(one);
  for (const [id, transfers] of other) {
    const known = all.get(id) ?? [];
    const keys = new Set(known.map(transferContentKey));
    all.set(id, [...known, ...transfers.filter((transfer) => !keys.has(transferContentKey(transfer)))]);
  }
  return all;
}

export function keepOnlyTransfers(
  byRequest: TransfersByRequest,
  kept: readonly IncomingTransfer[],
): TransfersByRequest {
  const keys = new Set(kept.map(transferContentKey));
  const lists = [...byRequest].map(
    ([id, transfers]) =>
      [id, transfers.filter((transfer) => keys.has(transferContentKey(transfer)))] as const,
  );
  return new Map(lists.filter(([, transfers]) => transfers.length > 0));
}
