import { stateConflict } from '#shared/kernel/domain-error.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';

/**
 * A physical point of sale has one open request. A second payer who opened a link there would end the first one's.
 * @throws state_conflict
 */
export function refuseLinksOnPhysicalPos({ type }: Pick<CollectingPoint, 'type'>): void {
  if (type === 'online') return;
  throw stateConflict(
    'A physical point of sale has one payment at a time, and a payment link may be opened by many. Use an online one.',
  );
}

/**
 * A request that falls due by itself would end that of the customer at the till.
 * @throws state_conflict
 */
export function refuseChargesOnPhysicalPos({ type }: Pick<CollectingPoint, 'type'>): void {
  if (type === 'online') return;
  throw stateConflict(
    'A physical point of sale has one payment at a time, and a recurring charge would end the one of the customer who ' +
      'is paying there. Use an online one.',
  );
}
