import type { OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';

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
  /** Names also points of sale that were deleted with their account; leaves out other organizations'. */
  abstract namesOf(
    organization: OrganizationId,
    ids: readonly PointOfSaleId[],
  ): Promise<ReadonlyMap<PointOfSaleId, string>>;
}
