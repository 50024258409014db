import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Arrival } from '../contract/incoming-transfer.js';

/** The lists of each request one after the other, in the order given. */
export function joined(
  ...lists: readonly ReadonlyMap<PaymentRequestId, readonly Arrival[]>[]
): Map<PaymentRequestId, Arrival[]> {
  const all = new Map<PaymentRequestId, Arrival[]>();
  for (const list of lists)
    for (const [id, arrived] of list) all.set(id, [...(all.get(id) ?? []), ...arrived]);
  return all;
}
