import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import {
  isPendingTransfer,
  type FirstSeen,
  type IncomingTransfer,
  type RecordedTransfer,
} from '../../contract/incoming-transfer.js';
import { transferKey, type TransfersByRequest } from '../transfers-by-request.js';

/** A transfer is cross-checked and aggregated only after it is mined. */
export const PENDING_TRANSFER_FIELDS = {
  blockNumber: Infinity,
  blockHash: '',
  awaitsCrossCheck: false,
  gatheredOn: null,
} as const;

export function toPendingTransfer<T extends IncomingTransfer>(
  transfer: T,
  sight: FirstSeen,
): T & { sight: FirstSeen } {
  const { seenAt } = sight;
  return { ...transfer, ...PENDING_TRANSFER_FIELDS, blockTime: seenAt, arrivedAt: seenAt, sight };
}

/**
 * Otherwise a request paid in time would expire when its block is removed, and the transfer, mined again, would
 * become a deposit.
 */
export function makePendingAgain(
  lost: TransfersByRequest<RecordedTransfer>,
  headTime: Date,
  arrived: TransfersByRequest = new Map(),
): Map<PaymentRequestId, IncomingTransfer[]> {
  const returned = new Map<PaymentRequestId, IncomingTransfer[]>();
  for (const [id, transfers] of lost) {
    const minedAgain = new Set((arrived.get(id) ?? []).map(transferKey));
    const pending = transfers.flatMap((transfer) => {
      const { sight } = transfer;
      if (isPendingTransfer(transfer) || sight === undefined || sight.lapsesAt < headTime) return [];
      return minedAgain.has(transferKey(transfer))
        ? []
        : toPendingTransfer({ ...transfer, id: newId() }, sight);
    });
    if (pending.length > 0) returned.set(id, pending);
  }
  return returned;
}
