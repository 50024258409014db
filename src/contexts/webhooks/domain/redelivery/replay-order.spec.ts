import { describe, expect, it } from '@jest/globals';
import { newId, type DeliveryId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { orderReplay, type ReplayedDelivery } from './replay-order.js';

const [order, other] = [newId<PaymentRequestId>(), newId<PaymentRequestId>()];
const replayed = (
  paymentRequestId: PaymentRequestId,
  rest: Partial<ReplayedDelivery> = {},
): ReplayedDelivery => ({
  ...{ deliveryId: newId<DeliveryId>(), paymentRequestId, waitsFor: null, underWay: false },
  ...rest,
});

describe('The order of a replay', () => {
  it('makes each delivery wait for the one before it of the same payment request', () => {
    const [a, x, b, c] = [replayed(order), replayed(other), replayed(order), replayed(order)];

    expect(orderReplay([a, x, b, c])).toEqual([
      { deliveryId: a.deliveryId, waitsFor: null },
      { deliveryId: x.deliveryId, waitsFor: null },
      { deliveryId: b.deliveryId, waitsFor: a.deliveryId },
      { deliveryId: c.deliveryId, waitsFor: b.deliveryId },
    ]);
  });

  it('keeps the place of the first delivery if it waits already, and moves the others behind it', () => {
    const earlier = newId<DeliveryId>();
    const first = replayed(order, { waitsFor: earlier });
    const second = replayed(order, { waitsFor: newId<DeliveryId>() });

    expect(orderReplay([first, second])).toEqual([
      { deliveryId: first.deliveryId, waitsFor: earlier },
      { deliveryId: second.deliveryId, waitsFor: first.deliveryId },
    ]);
  });

  it('does not move a delivery in progress, and makes the next wait for it', () => {
    const [a, b, c] = [replayed(order), replayed(order, { underWay: true }), replayed(order)];

    expect(orderReplay([a, b, c])).toEqual([
      { deliveryId: a.deliveryId, waitsFor: null },
      { deliveryId: c.deliveryId, waitsFor: b.deliveryId },
    ]);
  });
});
