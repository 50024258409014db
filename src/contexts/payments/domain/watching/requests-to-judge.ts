import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { ChainProgress } from '../requests/chain-progress.js';

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
