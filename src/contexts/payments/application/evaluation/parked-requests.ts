import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type {
  IncomingTransfer,
  RecordedTransfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';

/** Transfers that a request gained and lost while it cannot be evaluated. */
export interface UnevaluatedTransfers {
  readonly arrived: readonly IncomingTransfer[];
  /** The transfers as they were recorded before. */
  readonly lost: readonly RecordedTransfer[];
}

/** Requests that could not be evaluated, kept with their reason until an operator retries them. */
export abstract class ParkedRequests {
  /** The parked ones among these requests, locked. */
  abstract among(ids: readonly PaymentRequestId[]): Promise<Set<PaymentRequestId>>;
  /** At most `limit`. */
  abstract toRetry(limit: number): Promise<PaymentRequestId[]>;
  abstract park(id: PaymentRequestId, reason: string): Promise<void>;
  /** Records transfers without evaluating the request. */
  abstract record(id: PaymentRequestId, transfers: UnevaluatedTransfers): Promise<void>;
  /**
   * Ends the parking of requests to evaluate now. Their sums are computed again when they are locked.
   * @returns by request, the transfers that were lost while it was parked
   */
  abstract release(ids: readonly PaymentRequestId[]): Promise<Map<PaymentRequestId, RecordedTransfer[]>>;
}
