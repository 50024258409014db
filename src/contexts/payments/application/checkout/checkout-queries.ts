import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { CheckoutView } from '../requests/checkout-view.js';

/** Checkout sessions by what only their payer knows. Reads past the aggregate: one statement each. */
export abstract class CheckoutQueries {
  /**
   * @param sessionId any text, however malformed: it takes the time of an unknown one
   * @returns undefined also for one that ended more than a day ago
   */
  abstract find(sessionId: string): Promise<CheckoutView | undefined>;
  /** The sessions of those of these requests that are checkouts of the organization, also of ones that ended long ago. */
  abstract ofRequests(
    organizationId: OrganizationId,
    ids: readonly PaymentRequestId[],
  ): Promise<CheckoutView[]>;
  /** The newest block read, by network: what confirmations are counted from. */
  abstract heads(): Promise<ReadonlyMap<string, number>>;
}
