import type { AccountId, OrganizationId, PaymentLinkId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { PartialOrder } from '../requests/price/order.js';

/** What a payment link's code looks like; anything else is of no link. */
export const LINK_CODE = /^[A-Za-z0-9_-]{12,64}$/;

/** A page that opens a checkout of one price for each payer. */
export interface PaymentLink {
  readonly id: PaymentLinkId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  /** What stands in its address: random, so that links cannot be found by counting. */
  readonly code: string;
  /** The price: a decimal string in whole units of `coinCode`. */
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  /** As it was asked for; each checkout completes it. */
  readonly order?: PartialOrder;
  /** HTTPS; the point of sale's own unless given. */
  readonly returnUrl?: string;
  /** Inactive, it opens nothing; checkouts that it opened before stay payable. */
  readonly active: boolean;
  readonly createdAt: Date;
}
