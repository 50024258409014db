import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { PointOfSaleDirectory } from '../contract/points-of-sale.js';
import type { PointOfSale } from '../domain/point-of-sale.js';

export interface PointOfSaleView extends PointOfSale {
  readonly organizationName: string;
  readonly accountName: string;
}

export abstract class PointsOfSaleRecords extends PointOfSaleDirectory {
  /**
   * Requires a unit of work. The account cannot be deleted until it ends.
   * @throws account_not_allowed if the account was deleted concurrently
   */
  abstract add(pointOfSale: PointOfSale): Promise<void>;
  /** @throws not_found, also if it belongs to another tenant or its account is deleted */
  abstract find(scope: Scope, id: PointOfSaleId): Promise<PointOfSaleView>;
  /** Locks the row until the unit of work ends. @throws not_found, as `find` */
  abstract lock(scope: Scope, id: PointOfSaleId): Promise<PointOfSale>;
  /** Stores the description of a locked point of sale and changes its version. */
  abstract save(pointOfSale: PointOfSale): Promise<void>;
  /** Oldest first. */
  abstract override list(scope: Scope, page: PageRequest): Promise<Page<PointOfSaleView>>;
}
