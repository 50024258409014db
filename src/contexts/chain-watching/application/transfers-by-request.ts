import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { IncomingTransfer, Transfer } from '../contract/incoming-transfer.js';

export type TransfersByRequest<T extends IncomingTransfer = IncomingTransfer> = ReadonlyMap<
  PaymentRequestId,
  readonly T[]
>;

/** Identifies a transfer by its transaction and index, whether it is pending or in a block. */
export function transferKey({ transactionHash, index }: Pick<Transfer, 'transactionHash' | 'index'>): string {
  return `${transactionHash} ${index}`;
}

/** Includes every field in which two readings can differ: a transfer with another sender is another transfer. */
export function contentKey(transfer: Transfer): string {
  const { kind, transactionHash, index, from, to, toTag = '', amount } = transfer;
  // The catalogue may change the capitalisation of a contract address.
  const asset = transfer.uniqueAssetId.toLowerCase();
  return `${kind} ${transactionHash} ${index} ${asset} ${from} ${to} ${toTag} ${amount} ${transfer.blockHash}`;
}

/** All transfers of these maps. */
export function joined(...maps: readonly TransfersByRequest[]): Map<PaymentRequestId, IncomingTransfer[]> {
  const all = new Map<PaymentRequestId, IncomingTransfer[]>();
  for (const map of maps)
    for (const [id, transfers] of map) all.set(id, [...(all.get(id) ?? []), ...transfers]);
  return all;
}

/** The transfers that at least one of two readings shows, once each. */
export function inEither(one: TransfersByRequest, other: TransfersByRequest = new Map()): TransfersByRequest {
  const all = new Map(one);
  for (const [id, transfers] of other) {
    const known = all.get(id) ?? [];
    const keys = new Set(known.map(contentKey));
    all.set(id, [...known, ...transfers.filter((transfer) => !keys.has(contentKey(transfer)))]);
  }
  return all;
}

/** The transfers that are also in `kept`. */
export function only(byRequest: TransfersByRequest, kept: readonly IncomingTransfer[]): TransfersByRequest {
  const keys = new Set(kept.map(contentKey));
  const lists = [...byRequest].map(
    ([id, transfers]) => [id, transfers.filter((transfer) => keys.has(contentKey(transfer)))] as const,
  );
  return new Map(lists.filter(([, transfers]) => transfers.length > 0));
}
