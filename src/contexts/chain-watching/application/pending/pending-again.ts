import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { isPending, type IncomingTransfer, type FirstSight } from '../../contract/incoming-transfer.js';
import type { RecordedTransfer } from '../../contract/incoming-transfer.js';
import { placeOf } from '../reading/complete-incoming-transfers.js';

/** A transfer that is in no block is compared with a second reading, and gathered with others, once it is in one. */
export const NOT_IN_A_BLOCK = {
  blockNumber: Infinity,
  blockHash: '',
  awaitsCrossCheck: false,
  gatheredOn: null,
} as const;

/** The transfer as it waits for a block, with that first sight. */
export function pendingSince<T extends IncomingTransfer>(
  transfer: T,
  sight: FirstSight,
): T & { sight: FirstSight } {
  const { seenAt } = sight;
  return { ...transfer, ...NOT_IN_A_BLOCK, blockTime: seenAt, arrivedAt: seenAt, sight };
}

/**
 * Transfers whose block has gone wait for a block again: a request that was paid in time and is past its deadline would else
 * end at once, and what is mined a moment later would be a deposit.
 * @param lost as they were recorded
 * @param headTime of the newest block that is left
 * @param arrived transfers that are in a block again already
 */
export function returnedToPending(
  lost: ReadonlyMap<PaymentRequestId, readonly RecordedTransfer[]>,
  headTime: Date,
  arrived: ReadonlyMap<PaymentRequestId, readonly IncomingTransfer[]> = new Map(),
): Map<PaymentRequestId, IncomingTransfer[]> {
  const returned = new Map<PaymentRequestId, IncomingTransfer[]>();
  for (const [id, transfers] of lost) {
    const places = new Set((arrived.get(id) ?? []).map(placeOf));
    const waiting = transfers.flatMap((transfer) => {
      const { sight } = transfer;
      if (isPending(transfer) || sight === undefined || sight.lapsesAt < headTime) return [];
      return places.has(placeOf(transfer)) ? [] : pendingSince({ ...transfer, id: newId() }, sight);
    });
    if (waiting.length > 0) returned.set(id, waiting);
  }
  return returned;
}
