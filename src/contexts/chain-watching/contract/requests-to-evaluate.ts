import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { ChainProgress, IncomingTransfer, RecordedTransfer } from './incoming-transfer.js';

/** Selects requests that an iteration must evaluate although it found no transfer for them. */
export abstract class RequestsToEvaluate {
  /**
   * Open requests, oldest first, whose deadline is before the progress of this network and of their other networks,
   * and that have no counted transfer that is not final.
   */
  abstract pastDeadline(
    network: string,
    others: readonly string[],
    progress: ChainProgress,
    limit: number,
  ): Promise<PaymentRequestId[]>;
  /**
   * Returns ended requests with final transfers on this network that are not part of the outcome and not a deposit
   * yet.
   */
  abstract withUnbookedTransfers(network: string, limit: number): Promise<PaymentRequestId[]>;
}

export interface RequestEvaluationInput {
  readonly read: ReadonlyMap<string, ChainProgress>;
  readonly due: readonly PaymentRequestId[];
  /** Transfers that are no longer in the chain, as they were recorded before. */
  readonly lost: ReadonlyMap<PaymentRequestId, readonly RecordedTransfer[]>;
  readonly arrived: ReadonlyMap<PaymentRequestId, readonly IncomingTransfer[]>;
}

/** Transfers of a request that disappeared from the chain after they were posted. */
export interface ReversedTransfers {
  readonly request: PaymentRequestId;
  readonly transfers: readonly RecordedTransfer[];
}

/** Conditions to report to the operator after the unit of work is committed. */
export interface RequestEvaluationResult {
  readonly reversals: readonly ReversedTransfers[];
  readonly parked: readonly { readonly request: PaymentRequestId; readonly reason: string }[];
}

/** Runs in the caller's unit of work, so that transfers, cursor and requests are stored together or not at all. */
export abstract class RequestEvaluation {
  abstract evaluate(update: RequestEvaluationInput, now: Date): Promise<RequestEvaluationResult>;
}
