import type { Page, PageRequest } from '../../../shared/kernel/page.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import type { PointOfSale } from '../domain/point-of-sale.js';

/** With the names that belong to its ids. */
export interface PointOfSaleView extends PointOfSale {
  readonly organizationName: string;
  readonly accountName: string;
}

export abstract class PointsOfSaleRecords {
  /** Refuses to run outside a unit of work. */
  abstract add(pointOfSale: PointOfSale): Promise<void>;
  /** Oldest first. */
  abstract list(scope: Scope, page: PageRequest): Promise<Page<PointOfSaleView>>;
}
