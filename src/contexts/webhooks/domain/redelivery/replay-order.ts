import type { DeliveryId, PaymentRequestId } from '#shared/kernel/ids.js';

export interface ReplayedDelivery {
  readonly deliveryId: DeliveryId;
  readonly paymentRequestId: PaymentRequestId;
  /** The earlier delivery that this delivery already waits for. */
  readonly waitsFor: DeliveryId | null;
  /** True while a worker attempts the delivery. A replay does not change such a delivery. */
  readonly underWay: boolean;
}

/** A replayed delivery with the delivery that must end before it is sent. Null if it is due immediately. */
export interface ReplayPosition {
  readonly deliveryId: DeliveryId;
  readonly waitsFor: DeliveryId | null;
}

/**
 * Makes each delivery wait for the previous delivery of its payment request. The first delivery of a payment request
 * keeps waiting for a delivery that is not replayed. A delivery that a worker is attempting is not changed, but the
 * next delivery waits for it.
 * @param deliveries in the order of their events
 */
export function orderReplay(deliveries: readonly ReplayedDelivery[]): ReplayPosition[] {
  const before = new Map<PaymentRequestId, DeliveryId>();
  const places: ReplayPosition[] = [];
  for (const { deliveryId, paymentRequestId, waitsFor, underWay } of deliveries) {
    const predecessor = before.get(paymentRequestId) ?? waitsFor;
    if (!underWay) places.push({ deliveryId, waitsFor: predecessor });
    before.set(paymentRequestId, deliveryId);
  }
  return places;
}
