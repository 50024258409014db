import type { AccountId, OrganizationId, PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PartialOrder } from '../requests/order.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { Scope } from '#shared/kernel/scope.js';

/** Format of every payment link code. */
export const LINK_CODE = /^[A-Za-z0-9_-]{12,64}$/;

/** Page that opens a checkout for each payer, at a fixed price. */
export interface PaymentLink {
  readonly id: PaymentLinkId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  /** Last segment of the URL. Random, so that links cannot be enumerated. */
  readonly code: string;
  /** Price as a decimal string in whole units of `coinCode`. */
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  /** Order as the merchant sent it. Each checkout completes the order. */
  readonly order?: PartialOrder;
  /** HTTPS URL. Default: the return URL of the point of sale. */
  readonly returnUrl?: string;
  /** An inactive link opens no checkouts. Checkouts already opened stay payable. */
  readonly active: boolean;
  readonly createdAt: Date;
}

export interface LinkFilter {
  readonly active?: boolean | undefined;
}

/** Each method is one atomic statement. */
export abstract class PaymentLinks {
  /** @throws not_found if the account was deleted concurrently */
  abstract add(link: PaymentLink): Promise<void>;

  /** Newest first. Empty for another tenant's point of sale. */
  abstract list(scope: Scope, pointOfSale: PointOfSaleId, page: PageRequest): Promise<Page<PaymentLink>>;

  /** Newest first, across points of sale. */
  abstract listAll(scope: Scope, filter: LinkFilter, page: PageRequest): Promise<Page<PaymentLink>>;

  /** @throws not_found, also for another tenant's link */
  abstract find(scope: Scope, id: PaymentLinkId): Promise<PaymentLink>;

  /** Loads a link and row-locks it until the unit of work ends. @throws not_found, also for another tenant's link */
  abstract lock(scope: Scope, id: PaymentLinkId): Promise<PaymentLink>;

  /** Idempotent. @throws not_found, also for a link of another tenant or point of sale */
  abstract setActive(
    scope: Scope,
    pointOfSale: PointOfSaleId,
    id: PaymentLinkId,
    active: boolean,
  ): Promise<PaymentLink>;

  /**
   * Finds a link for payers, who belong to no tenant.
   * @param code any string; a malformed code takes as long as an unknown code
   * @throws not_found, also for an inactive link
   */
  abstract findActive(code: string): Promise<PaymentLink>;
}

export function auditableLink(link: PaymentLink): object {
  return {
    point_of_sale_id: link.pointOfSaleId,
    amount: link.amount,
    coin_code: link.coinCode,
    return_url: link.returnUrl,
    active: link.active,
  };
}

/** Single error for unknown and malformed codes and for inactive links. */
export function linkNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'There is no such payment link, or it has been deactivated. Ask the merchant for a new link.',
  );
}
