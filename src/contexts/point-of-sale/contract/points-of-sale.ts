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

/** The method that a hosted page displays first: address and amount for any wallet, or the payment code. */
export const CHECKOUT_METHODS = ['address', 'code'] as const;
export type CheckoutMethod = (typeof CHECKOUT_METHODS)[number];

export interface TillProduct {
  readonly name: string;
  /** Decimal string in whole units of the till's coin. */
  readonly amount: string;
}

export interface TillConfig {
  /** ISO 4217 currency or asset symbol of all amounts typed at the till. */
  readonly coinCode: string;
  readonly tipPercentages: readonly number[];
  readonly products: readonly TillProduct[];
}

/** Destination of the funds collected on one network. Deposit addresses keep the terms they were created with. */
export interface SettlementTerms {
  readonly id: SettlementTermsId;
  readonly network: string;
  readonly settlementAddress: string;
  /** Without a fee, the network's placeholder for no recipient: the zero address on EVM networks. */
  readonly feeRecipient: string;
  readonly feeBasisPoints: number;
}

/** The fields of a point of sale that are needed to create a payment request. */
export interface CollectingPoint {
  readonly id: PointOfSaleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly type: 'online' | 'physical';
  readonly merchant: Merchant;
  /** Unique asset ids in the spelling of the network catalogue. */
  readonly paymentOptions: readonly string[];
  /** URL to which the hosted checkout redirects the payer after the payment. */
  readonly returnUrl?: string;
  /** Origins that may embed the hosted checkout in a frame. */
  readonly frameOrigins: readonly string[];
  /** Payment method that the hosted checkout displays first. */
  readonly checkoutFirst: CheckoutMethod;
  /** True if payers may enter the amount themselves. Only for a physical point of sale. */
  readonly openAmount: boolean;
  /** Currency or asset of the till; absent if no till is configured. */
  readonly tillCoin?: string;
  /** Current terms by network: the account's own terms if set, else the organization's. */
  readonly terms: ReadonlyMap<string, SettlementTerms>;
  /** The account's underpayment tolerance; absent if underpayments are not accepted. */
  readonly underpaymentTolerance?: UnderpaymentTolerance;
  /** Changes whenever the point of sale, its terms or the tolerance change. */
  readonly version: string;
}

/**
 * Points of sale for other contexts, possibly from a cache. A statement that writes must compare `version` with the
 * view `point_of_sale.public_point_of_sale_versions (id, organization_id, account_id, version)`. If it differs, call
 * `forget`, and `find` again.
 */
export abstract class PointsOfSale {
  /** @throws not_found, also if the point of sale belongs to another tenant */
  abstract find(scope: Scope, id: PointOfSaleId): Promise<CollectingPoint>;
  /**
   * @param code text printed at a physical point of sale
   * @throws not_found, also for an online or deleted point of sale
   */
  abstract findByCode(code: string): Promise<CollectingPoint>;
  abstract forget(id: PointOfSaleId): void;
}

/** Settlement terms that apply to a whole organization, not to one account. */
export abstract class OrganizationTerms {
  /** Returns the organization's current settlement address in display form; null if it has no terms on the network. */
  abstract settlementAddress(organization: OrganizationId, network: string): Promise<string | null>;
}

/** Deposit addresses of the payments context. The composition root provides the implementation. */
export abstract class KnownDepositAddresses {
  /** @param address canonical spelling @returns true if it is a deposit address on any network */
  abstract isDepositAddress(address: string): Promise<boolean>;
}

export interface NamedPointOfSale {
  readonly id: PointOfSaleId;
  readonly name: string;
  readonly accountName: string;
  readonly type: 'online' | 'physical';
  /** Unique asset ids in the spelling of the network catalogue. */
  readonly paymentOptions: readonly string[];
}

/** Lists points of sale for pages of other contexts. */
export abstract class PointOfSaleDirectory {
  /** Lists points of sale, oldest first. */
  abstract list(scope: Scope, page: PageRequest): Promise<Page<NamedPointOfSale>>;
  /** Searches points of sale by a part of their name or of their account's name, optionally of one type. */
  abstract searchChoices(
    scope: Scope,
    search: ChoiceSearch & { readonly type?: NamedPointOfSale['type'] },
  ): Promise<Choices<NamedPointOfSale>>;
  /** Returns names by id, also of points of sale deleted with their account. Omits those of other organizations. */
  abstract namesOf(
    organization: OrganizationId,
    ids: readonly PointOfSaleId[],
  ): Promise<ReadonlyMap<PointOfSaleId, string>>;
}
