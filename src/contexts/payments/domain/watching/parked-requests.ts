import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Arrival, RecordedTransfer } from '../requests/transfer.js';

/** What the chain has brought to a request, and taken from it, while it cannot be judged. */
export interface UnjudgedTransfers {
  readonly arrived: readonly Arrival[];
  /** As they were recorded before. */
  readonly lost: readonly RecordedTransfer[];
}

/** Requests that could not be judged, kept with their reason until an operator has them judged again. */
export abstract class ParkedRequests {
  /** Those of these requests that are parked, locked. */
  abstract among(ids: readonly PaymentRequestId[]): Promise<Set<PaymentRequestId>>;
  /** At most `limit`. */
  abstract toRetry(limit: number): Promise<PaymentRequestId[]>;
  abstract park(id: PaymentRequestId, reason: string): Promise<void>;
  /** Records transfers without deciding anything by them. */
  abstract record(id: PaymentRequestId, transfers: UnjudgedTransfers): Promise<void>;
  /**
   * Ends the parking of those that are to be judged now. Their sums are added up anew when they are locked.
   * @returns by request, the transfers that were lost meanwhile
   */
  abstract release(ids: readonly PaymentRequestId[]): Promise<Map<PaymentRequestId, RecordedTransfer[]>>;
}
