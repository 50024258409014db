import type { AccountId, OrganizationId, PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PartialOrder } from '../requests/order.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { Scope } from '#shared/kernel/scope.js';

/** The form of a payment link's code; no link has any other. */
export const LINK_CODE = /^[A-Za-z0-9_-]{12,64}$/;

/** A page that opens a checkout of one price for each payer. */
export interface PaymentLink {
  readonly id: PaymentLinkId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  /** The last part of its URL: random, so that links cannot be found by counting. */
  readonly code: string;
  /** The price: a decimal string in whole units of `coinCode`. */
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  /** The order as it was sent; each checkout completes it. */
  readonly order?: PartialOrder;
  /** HTTPS; the point of sale's own where it is absent. */
  readonly returnUrl?: string;
  /** Inactive, it opens nothing; checkouts that it opened before stay payable. */
  readonly active: boolean;
  readonly createdAt: Date;
}

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

  /** Row-locked until the unit of work ends. @throws not_found, also for another tenant's */
  abstract lock(scope: Scope, id: PaymentLinkId): Promise<PaymentLink>;

  /** Safe to repeat. @throws not_found, also for another tenant's and for one of another point of sale */
  abstract setActive(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    id: PaymentLinkId,
    active: boolean,
  ): Promise<PaymentLink>;

  /**
   * Finds a link for payers, who belong to no tenant.
   * @param code any text, however malformed: a malformed one takes as long as an unknown one
   * @throws not_found, also for an inactive one
   */
  abstract findActive(code: string): Promise<PaymentLink>;
}

/** The values of a link that the audit log keeps. */
export function auditableLink(link: PaymentLink): object {
  return {
    point_of_sale_id: link.pointOfSaleId,
    amount: link.amount,
    coin_code: link.coinCode,
    return_url: link.returnUrl,
    active: link.active,
  };
}

/** The one answer to codes that are unknown, malformed or of links that are switched off. */
export function linkNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'There is no such payment link, or it has been deactivated. Ask the merchant for a new link.',
  );
}
