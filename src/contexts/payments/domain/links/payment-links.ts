import type { PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { PaymentLink } from './payment-link.js';

export interface LinkFilter {
  readonly active?: boolean | undefined;
}

/** One statement each, so atomic by themselves. */
export abstract class PaymentLinks {
  /** @throws not_found where the account was deleted meanwhile */
  abstract add(link: PaymentLink): Promise<void>;

  /** Newest first. Empty for another tenant's point of sale. */
  abstract list(scope: Scope, pointOfSale: PointOfSaleId, page: PageRequest): Promise<Page<PaymentLink>>;

  /** Newest first, of all points of sale. */
  abstract listAll(scope: Scope, filter: LinkFilter, page: PageRequest): Promise<Page<PaymentLink>>;

  /** @throws not_found, also for another tenant's */
  abstract find(scope: Scope, id: PaymentLinkId): Promise<PaymentLink>;

  /** Safe to repeat. @throws not_found, also for another tenant's and for one of another point of sale */
  abstract setActive(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    id: PaymentLinkId,
    active: boolean,
  ): Promise<PaymentLink>;

  /**
   * For payers, who belong to no tenant.
   * @param code any text, however malformed: a malformed one takes as long as an unknown one
   * @returns undefined also for an inactive one
   */
  abstract findActive(code: string): Promise<PaymentLink | undefined>;
}
