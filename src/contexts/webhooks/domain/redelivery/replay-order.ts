import type { DeliveryId, PaymentRequestId } from '#shared/kernel/ids.js';

export interface ReplayedDelivery {
  readonly deliveryId: DeliveryId;
  readonly paymentRequestId: PaymentRequestId;
  readonly waitsFor: DeliveryId | null;
  /** A replay does not change a delivery that a worker attempts. */
  readonly underWay: boolean;
}

export interface DeliveryWithPredecessor {
  readonly deliveryId: DeliveryId;
  readonly waitsFor: DeliveryId | null;
}

/**
 * Each delivery waits for the previous one of its payment request. A delivery that a worker is attempting is not
 * changed, but the next one waits for it. @param deliveries in the order of their events
 */
export function orderReplay(deliveries: readonly ReplayedDelivery[]): DeliveryWithPredecessor[] {
  const before = new Map<PaymentRequestId, DeliveryId>();
  const places: DeliveryWithPredecessor[] = [];
  for (const { deliveryId, paymentRequestId, waitsFor, underWay } of deliveries) {
    const predecessor = before.get(paymentRequestId) ?? waitsFor;
    if (!underWay) places.push({ deliveryId, waitsFor: predecessor });
    before.set(paymentRequestId, deliveryId);
  }
  return places;
}
