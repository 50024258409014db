import type { PointOfSaleId } from '../../../shared/kernel/ids.js';
import type { Scope } from '../../../shared/kernel/scope.js';

export interface NamedPointOfSale {
  readonly id: PointOfSaleId;
  readonly name: string;
  readonly accountName: string;
}

/** For people who choose one. */
export abstract class NamedPointsOfSale {
  /** Oldest first, at most a hundred. */
  abstract list(scope: Scope): Promise<NamedPointOfSale[]>;
}
