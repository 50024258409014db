import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Arrival, ChainProgress, RecordedTransfer } from '../requests/transfer.js';

/** Requests that a turn must judge although no transfer of theirs was read. Reads only; of every tenant. */
export abstract class RequestsToJudge {
  /**
   * Open requests to be paid on this network whose deadline the reading has passed, oldest first; without those that
   * also showed an address on one of `others` that is not read so far, and those of which a counted transfer is not
   * final yet.
   */
  abstract pastDeadline(
    network: string,
    others: readonly string[],
    progress: ChainProgress,
    limit: number,
  ): Promise<PaymentRequestId[]>;
  /** Ended requests with final transfers on this network that are neither part of the outcome nor a deposit yet. */
  abstract withUnbookedTransfers(network: string, limit: number): Promise<PaymentRequestId[]>;
}

/** Transfers that the chain has brought to a request, and taken from it, while it cannot be judged. */
export interface UnjudgedTransfers {
  readonly arrived: readonly Arrival[];
  /** The transfers as they were recorded before. */
  readonly lost: readonly RecordedTransfer[];
}

/** Requests that could not be judged, kept with their reason until an operator has them judged again. */
export abstract class ParkedRequests {
  /** The parked ones among these requests, locked. */
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
