import type { DeliveryId, PaymentRequestId } from '#shared/kernel/ids.js';

/** A delivery whose event is to be sent again. */
export interface Replayed {
  readonly deliveryId: DeliveryId;
  readonly paymentRequestId: PaymentRequestId;
  /** The delivery that it waits for already. */
  readonly waitsFor: DeliveryId | null;
  /** Being attempted at this moment, so it stays as it is. */
  readonly underWay: boolean;
}

/** The delivery that another waits for from now on; null: it is due at once. */
export interface ReplayPosition {
  readonly deliveryId: DeliveryId;
  readonly waitsFor: DeliveryId | null;
}

/**
 * Lines deliveries up by payment request, each behind the one before it. The first keeps its place behind an earlier
 * one that is not among these. One under way has no place to be given, and the next waits for it as for any other.
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
