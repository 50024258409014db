import type { AccountId, OrganizationId, PointOfSaleId, SettlementTermsId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { Page, PageRequest, ChoiceSearch, Choices } from '#shared/kernel/page.js';
import type { UnderpaymentTolerance } from '#shared/kernel/underpayment-tolerance.js';

export interface Merchant {
  readonly name: string;
  readonly description?: string;
  readonly taxId?: string;
  readonly image?: string;
  readonly mcc?: string;
}

/** Address and amount for any wallet, or the payment code. */
export const CHECKOUT_METHODS = ['address', 'code'] as const;
export type CheckoutMethod = (typeof CHECKOUT_METHODS)[number];

export interface TillProduct {
  readonly name: string;
  readonly amount: string;
}

export interface TillConfig {
  /** Currency or asset of all amounts typed at the till. */
  readonly coinCode: string;
  readonly tipPercentages: readonly number[];
  readonly products: readonly TillProduct[];
}

/** Deposit addresses keep the terms they were created with. */
export interface SettlementTerms {
  readonly id: SettlementTermsId;
  readonly network: string;
  readonly settlementAddress: string;
  /** Without a fee, the network's placeholder, such as the zero address. */
  readonly feeRecipient: string;
  readonly feeBasisPoints: number;
}

export interface PaymentPointOfSale {
  readonly id: PointOfSaleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly type: 'online' | 'physical';
  readonly merchant: Merchant;
  readonly paymentOptions: readonly string[];
  readonly returnUrl?: string;
  /** May embed the hosted checkout in a frame. */
  readonly frameOrigins: readonly string[];
  readonly checkoutFirst: CheckoutMethod;
  readonly openAmount: boolean;
  readonly tillCoin?: string;
  /** The account's own terms if set, else the organization's. */
  readonly terms: ReadonlyMap<string, SettlementTerms>;
  readonly underpaymentTolerance?: UnderpaymentTolerance;
  /** Changes whenever the point of sale, its terms or the tolerance change. */
  readonly version: string;
}

/**
 * Possibly from a cache. A writing statement must compare `version` with the view
 * `point_of_sale.public_point_of_sale_versions`. If it differs, call `forget`, and `find` again.
 */
export abstract class PointsOfSale {
  /** @throws not_found, also if the point of sale belongs to another tenant */
  abstract find(scope: TenantScope, id: PointOfSaleId): Promise<PaymentPointOfSale>;
  /** @throws not_found, also for an online or deleted point of sale */
  abstract findByCode(code: string): Promise<PaymentPointOfSale>;
  abstract forget(id: PointOfSaleId): void;
}

export abstract class OrganizationSettlementTerms {
  /** In display form; null without terms on the network. */
  abstract settlementAddress(organization: OrganizationId, network: string): Promise<string | null>;
}

/** The composition root provides the implementation. */
export abstract class KnownDepositAddresses {
  /** @param address canonical spelling */
  abstract isDepositAddress(address: string): Promise<boolean>;
}

export interface OpenItemCounts {
  readonly requests: number;
  readonly links: number;
  readonly subscriptions: number;
}

/** Open items prevent the deletion of a point of sale. The composition root provides the implementation. */
export abstract class PointOfSaleOpenItems {
  /** Runs in the caller's unit of work. */
  abstract countOpenItems(id: PointOfSaleId): Promise<OpenItemCounts>;
}

export interface NamedPointOfSale {
  readonly id: PointOfSaleId;
  readonly name: string;
  readonly accountName: string;
  readonly type: 'online' | 'physical';
  readonly paymentOptions: readonly string[];
}

export abstract class PointOfSaleDirectory {
  abstract list(scope: TenantScope, page: PageRequest): Promise<Page<NamedPointOfSale>>;
  abstract searchChoices(
    scope: TenantScope,
    search: ChoiceSearch & { readonly type?: NamedPointOfSale['type'] },
  ): Promise<Choices<NamedPointOfSale>>;
  /** Includes deleted points of sale; omits other organizations. */
  abstract namesOf(
    organization: OrganizationId,
    ids: readonly PointOfSaleId[],
  ): Promise<ReadonlyMap<PointOfSaleId, string>>;
}
