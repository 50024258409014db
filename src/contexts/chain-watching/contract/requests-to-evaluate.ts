import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { ChainProgress, IncomingTransfer, RecordedTransfer } from './incoming-transfer.js';

/** Selects requests that an iteration must evaluate although it read no transfer for them. Reads only. Covers all tenants. */
export abstract class RequestsToEvaluate {
  /**
   * Open requests to be paid on this network whose deadline the reading has passed, oldest first. Omits requests that
   * also have an address on one of `others` that is not read so far, and requests with a counted transfer that is not final.
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

export interface ChainUpdate {
  /** How far this iteration has read networks. */
  readonly read: ReadonlyMap<string, ChainProgress>;
  /** Requests to evaluate although none of the fields below concerns them. */
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

/** Conditions to alert about after the unit of work is committed. */
export interface Evaluation {
  readonly reversals: readonly ReversedTransfers[];
  readonly parked: readonly { readonly request: PaymentRequestId; readonly reason: string }[];
}

/**
 * Applies a chain update to the requests concerned, in the caller's unit of work: transfers, cursor and requests are stored
 * together or not at all.
 */
export abstract class RequestEvaluation {
  abstract evaluate(update: ChainUpdate, now: Date): Promise<Evaluation>;
}
