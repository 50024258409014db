import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { IncomingTransfer } from '../../contract/incoming-transfer.js';
import { keyOf } from './compare-readings.js';

type ArrivalsByRequest = ReadonlyMap<PaymentRequestId, readonly IncomingTransfer[]>;

export function inEither(
  second: ArrivalsByRequest,
  reader: ArrivalsByRequest = new Map(),
): ArrivalsByRequest {
  const all = new Map(second);
  for (const [id, arrived] of reader) {
    const others = all.get(id) ?? [];
    const keys = new Set(others.map(keyOf));
    all.set(id, [...others, ...arrived.filter((transfer) => !keys.has(keyOf(transfer)))]);
  }
  return all;
}

export function only(
  byRequest: ArrivalsByRequest,
  missed: readonly IncomingTransfer[],
): Map<PaymentRequestId, IncomingTransfer[]> {
  const keys = new Set(missed.map(keyOf));
  const lists = [...byRequest].map(
    ([id, arrived]) => [id, arrived.filter((transfer) => keys.has(keyOf(transfer)))] as const,
  );
  return new Map(lists.filter(([, list]) => list.length > 0));
}
