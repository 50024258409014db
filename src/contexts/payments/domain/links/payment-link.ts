import type { AccountId, OrganizationId, PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PartialOrder } from '../requests/order.js';
import { DomainError } from '#shared/kernel/domain-error.js';

/** Format of every payment link code. */
export const LINK_CODE = /^[A-Za-z0-9_-]{12,64}$/;

/** A link that opens a separate checkout for each payer, at a fixed price. */
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
  /** Order as sent by the merchant. Missing fields are added in each checkout. */
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

export function toAuditedLink(link: PaymentLink): object {
  return {
    point_of_sale_id: link.pointOfSaleId,
    amount: link.amount,
    coin_code: link.coinCode,
    return_url: link.returnUrl,
    active: link.active,
  };
}

/** Returns the same error for unknown codes, malformed codes and inactive links. */
export function linkNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'There is no such payment link, or it has been deactivated. Ask the merchant for a new link.',
  );
}
