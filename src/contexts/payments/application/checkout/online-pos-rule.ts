import { stateConflict } from '#shared/kernel/domain-error.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';

/**
 * A physical point of sale has one open request. A second payer who opens a link would end the first payer's request.
 * @throws state_conflict
 */
export function refuseLinksOnPhysicalPos({ type }: Pick<CollectingPoint, 'type'>): void {
  if (type === 'online') return;
  throw stateConflict(
    'A payment link can be opened by many payers, but a physical point of sale can have only one payment at a ' +
      'time. Use an online point of sale.',
  );
}

/**
 * A recurring charge would end the request of the customer at the till.
 * @throws state_conflict
 */
export function refuseChargesOnPhysicalPos({ type }: Pick<CollectingPoint, 'type'>): void {
  if (type === 'online') return;
  throw stateConflict(
    'A recurring charge would end the payment in progress at a physical point of sale, which can have only one ' +
      'payment at a time. Use an online point of sale.',
  );
}
