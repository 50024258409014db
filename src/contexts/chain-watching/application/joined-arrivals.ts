import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { IncomingTransfer } from '../contract/incoming-transfer.js';

/** The lists of each request one after the other, in the order given. */
export function joined(
  ...lists: readonly ReadonlyMap<PaymentRequestId, readonly IncomingTransfer[]>[]
): Map<PaymentRequestId, IncomingTransfer[]> {
  const all = new Map<PaymentRequestId, IncomingTransfer[]>();
  for (const list of lists)
    for (const [id, arrived] of list) all.set(id, [...(all.get(id) ?? []), ...arrived]);
  return all;
}
