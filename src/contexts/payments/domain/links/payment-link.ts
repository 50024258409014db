import type { AccountId, OrganizationId, PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PartialOrder } from '../requests/order.js';
import { DomainError } from '#shared/kernel/domain-error.js';

export const LINK_CODE_PATTERN = /^[A-Za-z0-9_-]{12,64}$/;

export interface PaymentLink {
  readonly id: PaymentLinkId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  /** Random, so that links cannot be enumerated. */
  readonly code: string;
  /** Decimal string in whole units of `coinCode`. */
  readonly amount: string;
  readonly coinCode: string;
  /** Missing fields are added in each checkout. */
  readonly order?: PartialOrder;
  readonly returnUrl?: string;
  /** Checkouts already opened stay payable. */
  readonly active: boolean;
  readonly createdAt: Date;
}

export interface LinkFilter {
  readonly active?: boolean | undefined;
}

export function toLinkAuditFields(link: PaymentLink): object {
  return {
    point_of_sale_id: link.pointOfSaleId,
    amount: link.amount,
    coin_code: link.coinCode,
    return_url: link.returnUrl,
    active: link.active,
  };
}

/** The same error for unknown codes, malformed codes and inactive links. */
export function linkNotFoundError(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'There is no such payment link, or it has been deactivated. Ask the merchant for a new link.',
  );
}
