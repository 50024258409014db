import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { PointOfSaleDirectory } from '../contract/points-of-sale.js';
import type { PointOfSale } from '../domain/point-of-sale.js';

/** A point of sale with the names of its organization and account. */
export interface PointOfSaleView extends PointOfSale {
  readonly organizationName: string;
  readonly accountName: string;
}

export abstract class PointsOfSaleRecords extends PointOfSaleDirectory {
  /**
   * Refuses to run outside a unit of work, until the end of which the account cannot be deleted.
   * @throws account_not_allowed where it is deleted meanwhile
   */
  abstract add(pointOfSale: PointOfSale): Promise<void>;
  /** @throws not_found, also for another tenant's and where the account is deleted */
  abstract find(scope: Scope, id: PointOfSaleId): Promise<PointOfSaleView>;
  /** Row-locked until the unit of work ends. @throws not_found, as `find` */
  abstract lock(scope: Scope, id: PointOfSaleId): Promise<PointOfSale>;
  /** Stores the description of a locked one, and moves its version. */
  abstract save(pointOfSale: PointOfSale): Promise<void>;
  /** Oldest first. */
  abstract override list(scope: Scope, page: PageRequest): Promise<Page<PointOfSaleView>>;
}
