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

/** Ways to pay that a hosted page can show first: address and amount for any wallet, or the payment code. */
export const CHECKOUT_WAYS = ['address', 'code'] as const;
export type CheckoutWay = (typeof CHECKOUT_WAYS)[number];

export interface TillProduct {
  readonly name: string;
  /** Decimal string in whole units of the till's coin. */
  readonly amount: string;
}

/** The till of a physical point of sale, as it is offered to its cashier. */
export interface TillConfig {
  /** ISO 4217 currency or asset symbol of every amount that is typed there. */
  readonly coinCode: string;
  readonly tipPercentages: readonly number[];
  readonly products: readonly TillProduct[];
}

/** Where money collected on one network goes. A change makes new terms; addresses keep the terms they were made with. */
export interface SettlementTerms {
  readonly id: SettlementTermsId;
  readonly network: string;
  readonly settlementAddress: string;
  /** Where there is no fee, what the network's chain type has for nobody: the zero address on EVM networks. */
  readonly feeRecipient: string;
  readonly feeBasisPoints: number;
}

/** A point of sale as creating a payment request needs it. */
export interface CollectingPoint {
  readonly id: PointOfSaleId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly type: 'online' | 'physical';
  readonly merchant: Merchant;
  /** Unique asset ids, as the catalogue spells them. */
  readonly paymentOptions: readonly string[];
  /** Where the hosted checkout sends the payer at the end. */
  readonly returnUrl?: string;
  /** Sites that may show the hosted checkout in a frame. */
  readonly frameOrigins: readonly string[];
  /** The hosted checkout shows it first. */
  readonly checkoutFirst: CheckoutWay;
  /** Payers may type the amount; on a physical one alone. */
  readonly openAmount: boolean;
  /** The coin of the till; absent where none is described. */
  readonly tillCoin?: string;
  /** Current terms by network: the account's own where it has any, else the organization's. */
  readonly terms: ReadonlyMap<string, SettlementTerms>;
  /** The account's; absent where no shortfall is accepted. */
  readonly underpaymentTolerance?: UnderpaymentTolerance;
  /** Changes with every change of the point of sale, of terms that apply to it or of the tolerance; see `forget`. */
  readonly version: string;
}

/**
 * Points of sale as others see them. `find` may answer from memory; a writer checks `version` again in its own
 * statement against the view `point_of_sale.public_point_of_sale_versions (id, organization_id, account_id, version)`,
 * and on a mismatch calls `forget` and asks again.
 */
export abstract class PointsOfSale {
  /** @throws not_found, also for another tenant's */
  abstract find(scope: Scope, id: PointOfSaleId): Promise<CollectingPoint>;
  /** @param code printed at a physical one; any text, however malformed @throws not_found, also for an online or deleted one */
  abstract findByCode(code: string): Promise<CollectingPoint>;
  abstract forget(id: PointOfSaleId): void;
}

/** Where an organization as a whole has its money delivered. */
export abstract class OrganizationTerms {
  /** The address as people write it, by the terms in force for the whole organization; null where none are. */
  abstract settlementAddress(organization: OrganizationId, network: string): Promise<string | null>;
}

/** Payments' deposit addresses, as far as terms must know them; payments knows this context, so the process wires it. */
export abstract class KnownDepositAddresses {
  /** @param address in the one spelling by which transfers are matched @returns true on whatever network it is one */
  abstract has(address: string): Promise<boolean>;
}

/** A point of sale in a list that people choose from. */
export interface NamedPointOfSale {
  readonly id: PointOfSaleId;
  readonly name: string;
  readonly accountName: string;
  readonly type: 'online' | 'physical';
  /** Unique asset ids, as the catalogue spells them. */
  readonly paymentOptions: readonly string[];
}

/** Lists points of sale and finds their names, for pages of other contexts. */
export abstract class PointOfSaleDirectory {
  /** Oldest first. */
  abstract list(scope: Scope, page: PageRequest): Promise<Page<NamedPointOfSale>>;
  /** To choose from, of one type where it is named; found by a part of their own or their account's name. One statement. */
  abstract choices(
    scope: Scope,
    search: ChoiceSearch & { readonly type?: NamedPointOfSale['type'] },
  ): Promise<Choices<NamedPointOfSale>>;
  /** Names also points of sale that were deleted with their account; leaves out other organizations'. */
  abstract namesOf(
    organization: OrganizationId,
    ids: readonly PointOfSaleId[],
  ): Promise<ReadonlyMap<PointOfSaleId, string>>;
}
