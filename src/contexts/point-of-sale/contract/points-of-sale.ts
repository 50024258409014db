import type { AccountId, OrganizationId, PointOfSaleId, SettlementTermsId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { Page, PageRequest, ChoiceSearch, Choices } from '#shared/kernel/page.js';
import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';

export interface Merchant {
  readonly name: string;
  readonly description?: string;
  readonly taxId?: string;
  readonly image?: string;
  /** ISO 18245 merchant category code. */
  readonly mcc?: string;
}

/** Payment methods that a hosted page can display first: address and amount for any wallet, or the payment code. */
export const CHECKOUT_WAYS = ['address', 'code'] as const;
export type CheckoutWay = (typeof CHECKOUT_WAYS)[number];

export interface TillProduct {
  readonly name: string;
  /** Decimal string in whole units of the till's coin. */
  readonly amount: string;
}

export interface TillConfig {
  /** ISO 4217 currency or asset symbol of all amounts typed there. */
  readonly coinCode: string;
  readonly tipPercentages: readonly number[];
  readonly products: readonly TillProduct[];
}

/** Destination of the funds collected on one network. A change creates new terms; addresses keep the terms they were created with. */
export interface SettlementTerms {
  readonly id: SettlementTermsId;
  readonly network: string;
  readonly settlementAddress: string;
  /** If there is no fee, the network's placeholder for no recipient: the zero address on EVM networks. */
  readonly feeRecipient: string;
  readonly feeBasisPoints: number;
}

/** The fields needed to create a payment request. */
export interface CollectingPoint {
  readonly id: PointOfSaleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly type: 'online' | 'physical';
  readonly merchant: Merchant;
  /** Unique asset ids, as the catalogue spells them. */
  readonly paymentOptions: readonly string[];
  /** Page to which the hosted checkout redirects the payer at the end. */
  readonly returnUrl?: string;
  /** Sites that may show the hosted checkout in a frame. */
  readonly frameOrigins: readonly string[];
  /** Payment method that the hosted checkout displays first. */
  readonly checkoutFirst: CheckoutWay;
  /** True if payers may enter the amount. Only for a physical point of sale. */
  readonly openAmount: boolean;
  /** Coin of the till; absent if no till is configured. */
  readonly tillCoin?: string;
  /** Current terms by network: the account's own if set, else the organization's. */
  readonly terms: ReadonlyMap<string, SettlementTerms>;
  /** The account's tolerance; absent if no shortfall is accepted. */
  readonly underpaymentTolerance?: UnderpaymentTolerance;
  /** Changes when the point of sale, its applicable terms or the tolerance change; see `forget`. */
  readonly version: string;
}

/**
 * Points of sale for other contexts. `find` may return a cached value. A writer must check `version` in its own statement against the view
 * `point_of_sale.public_point_of_sale_versions (id, organization_id, account_id, version)`. On a mismatch it calls `forget` and `find`
 * again.
 */
export abstract class PointsOfSale {
  /** @throws not_found, also if it belongs to another tenant */
  abstract find(scope: Scope, id: PointOfSaleId): Promise<CollectingPoint>;
  /** @param code code printed at a physical point of sale; any text @throws not_found, also for an online or deleted point of sale */
  abstract findByCode(code: string): Promise<CollectingPoint>;
  abstract forget(id: PointOfSaleId): void;
}

/** Settlement terms of an organization as a whole. */
export abstract class OrganizationTerms {
  /** Returns the settlement address in display form, from the organization's current terms; null if there are none. */
  abstract settlementAddress(organization: OrganizationId, network: string): Promise<string | null>;
}

/** The payments context's deposit addresses. Payments depends on this context, so the composition root wires the implementation. */
export abstract class KnownDepositAddresses {
  /** @param address canonical spelling, as used to match transfers @returns true if it is a deposit address on any network */
  abstract has(address: string): Promise<boolean>;
}

export interface NamedPointOfSale {
  readonly id: PointOfSaleId;
  readonly name: string;
  readonly accountName: string;
  readonly type: 'online' | 'physical';
  /** Unique asset ids, as the catalogue spells them. */
  readonly paymentOptions: readonly string[];
}

/** For pages of other contexts. */
export abstract class PointOfSaleDirectory {
  /** Oldest first. */
  abstract list(scope: Scope, page: PageRequest): Promise<Page<NamedPointOfSale>>;
  /** Searches points of sale by a part of their name or their account's name, optionally of one type. One statement. */
  abstract choices(
    scope: Scope,
    search: ChoiceSearch & { readonly type?: NamedPointOfSale['type'] },
  ): Promise<Choices<NamedPointOfSale>>;
  /** Includes points of sale that were deleted with their account. Omits those of other organizations. */
  abstract namesOf(
    organization: OrganizationId,
    ids: readonly PointOfSaleId[],
  ): Promise<ReadonlyMap<PointOfSaleId, string>>;
}
