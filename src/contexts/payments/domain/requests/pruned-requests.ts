import type { PaymentRequestId } from '#shared/kernel/ids.js';

/**
 * Requests that ended unpaid and were removed. Their history, events and addresses stay; once money comes to one of the
 * addresses, `PaymentRequests.lock` makes the request again, whole but for its token.
 */
export abstract class PrunedRequests {
  /**
   * Prunes those of these requests that ended unpaid and to whose addresses nothing was ever sent. Locks all of them by
   * ascending id. @throws outside a unit of work
   */
  abstract prune(ids: readonly PaymentRequestId[]): Promise<void>;
}
