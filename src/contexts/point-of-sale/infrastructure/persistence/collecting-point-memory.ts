import { LRUCache } from 'lru-cache';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { CollectingPoint } from '../../contract/points-of-sale.js';

interface Kept {
  readonly point: CollectingPoint;
  readonly until: number;
}

/**
 * The points of sale in use, so many at most, those unused longest leaving first. Writers compare versions; the age
 * bounds what callers refuse because of an old copy, which no version guards.
 */
export class CollectingPointMemory {
  private readonly kept: LRUCache<PointOfSaleId, Kept>;

  /** @param now milliseconds of real time, as timeouts are measured */
  constructor(
    most = 10_000,
    private readonly maxAgeMs = 10_000,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.kept = new LRUCache({ max: most });
  }

  recall(id: PointOfSaleId): CollectingPoint | undefined {
    const kept = this.kept.get(id);
    return kept === undefined || this.now() >= kept.until ? undefined : kept.point;
  }

  keep(point: CollectingPoint): void {
    this.kept.set(point.id, { point, until: this.now() + this.maxAgeMs });
  }

  forget(id: PointOfSaleId): void {
    this.kept.delete(id);
  }
}
