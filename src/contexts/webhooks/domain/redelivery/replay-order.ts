import type { DeliveryId, PaymentRequestId } from '#shared/kernel/ids.js';

export interface Replayed {
  readonly deliveryId: DeliveryId;
  readonly paymentRequestId: PaymentRequestId;
  /** The delivery that it already waits for. */
  readonly waitsFor: DeliveryId | null;
  /** True while the delivery is being attempted. It is then not changed. */
  readonly underWay: boolean;
}

/** The delivery to wait for. Null if the delivery is due immediately. */
export interface ReplayPosition {
  readonly deliveryId: DeliveryId;
  readonly waitsFor: DeliveryId | null;
}

/**
 * Makes each delivery wait for the previous one of its payment request. The first one keeps waiting for an earlier delivery
 * that is not replayed. A delivery that is being attempted is not changed, but the next one waits for it.
 * @param deliveries in the order of their events
 */
export function orderReplay(deliveries: readonly Replayed[]): ReplayPosition[] {
  const before = new Map<PaymentRequestId, DeliveryId>();
  const places: ReplayPosition[] = [];
  for (const { deliveryId, paymentRequestId, waitsFor, underWay } of deliveries) {
    const predecessor = before.get(paymentRequestId) ?? waitsFor;
    if (!underWay) places.push({ deliveryId, waitsFor: predecessor });
    before.set(paymentRequestId, deliveryId);
  }
  return places;
}
