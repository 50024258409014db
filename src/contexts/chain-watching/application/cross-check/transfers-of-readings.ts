import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { IncomingTransfer } from '../../contract/incoming-transfer.js';
import { keyOf } from './compare-readings.js';

type TransfersByRequest = ReadonlyMap<PaymentRequestId, readonly IncomingTransfer[]>;

export function inEither(
  second: TransfersByRequest,
  reader: TransfersByRequest = new Map(),
): TransfersByRequest {
  const all = new Map(second);
  for (const [id, arrived] of reader) {
    const others = all.get(id) ?? [];
    const keys = new Set(others.map(keyOf));
    all.set(id, [...others, ...arrived.filter((transfer) => !keys.has(keyOf(transfer)))]);
  }
  return all;
}

export function only(
  byRequest: TransfersByRequest,
  missed: readonly IncomingTransfer[],
): Map<PaymentRequestId, IncomingTransfer[]> {
  const keys = new Set(missed.map(keyOf));
  const lists = [...byRequest].map(
    ([id, arrived]) => [id, arrived.filter((transfer) => keys.has(keyOf(transfer)))] as const,
  );
  return new Map(lists.filter(([, list]) => list.length > 0));
}
