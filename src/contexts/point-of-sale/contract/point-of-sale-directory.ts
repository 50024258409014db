import type { OrganizationId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';

/** As people choose one. */
export interface NamedPointOfSale {
  readonly id: PointOfSaleId;
  readonly name: string;
  readonly accountName: string;
  readonly type: 'online' | 'physical';
  /** Unique asset ids, as the catalogue spells them. */
  readonly paymentOptions: readonly string[];
}

/** What points of sale are called, for pages about what belongs to them. */
export abstract class PointOfSaleDirectory {
  /** Oldest first. */
  abstract list(scope: Scope, page: PageRequest): Promise<Page<NamedPointOfSale>>;
  /** Also of those that went with their account; others' are left out. */
  abstract namesOf(
    organization: OrganizationId,
    ids: readonly PointOfSaleId[],
  ): Promise<ReadonlyMap<PointOfSaleId, string>>;
}
