import type { PointOfSaleId } from '../../../../shared/kernel/ids.js';
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
  private readonly kept = new Map<PointOfSaleId, Kept>();

  /** @param now milliseconds of real time, as timeouts are measured */
  constructor(
    private readonly most = 10_000,
    private readonly maxAgeMs = 10_000,
    private readonly now: () => number = () => performance.now(),
  ) {}

  recall(id: PointOfSaleId): CollectingPoint | undefined {
    const kept = this.kept.get(id);
    if (kept === undefined) return undefined;
    this.kept.delete(id);
    if (this.now() >= kept.until) return undefined;
    this.kept.set(id, kept);
    return kept.point;
  }

  keep(point: CollectingPoint): void {
    this.kept.delete(point.id);
    this.kept.set(point.id, { point, until: this.now() + this.maxAgeMs });
    if (this.kept.size <= this.most) return;
    const [oldest] = this.kept.keys();
    if (oldest !== undefined) this.kept.delete(oldest);
  }

  forget(id: PointOfSaleId): void {
    this.kept.delete(id);
  }
}
