import { describe, expect, it } from '@jest/globals';
import type { MedusaWorld } from './medusa-world.js';
import { paymentOf, type Order } from './storefront.js';

/** An order that is paid, whole and once. */
export const PAID = {
  status: 'pending',
  total: 12.5,
  payment_status: 'captured',
  summary: { paid_total: 12.5, pending_difference: 0 },
};

export function medusaOrdersSuite(world: () => MedusaWorld): void {
  describe('An order of a Medusa shop', () => {
    it('is placed, captured, shipped and delivered even if the payer never returns', async () => {
      const { storefront, shop } = world();
      const cart = await storefront.cart();
      expect(cart.session).toMatchObject({
        status: 'pending',
        data: { amount: '12.5', coin_code: 'USD', session_id: cart.session.id, refunds: [] },
      });

      await world().pay(cart, 12.5);
      await world().becomes(cart, 'completed');

      const order = await world().orderOf(cart);
      expect(order).toMatchObject({ ...PAID, fulfillment_status: 'not_fulfilled' });
      const items = order.items.map(({ id }) => ({ id, quantity: 1 }));
      const path = `/admin/orders/${order.id}/fulfillments`;
      await storefront.admin('POST', path, { items, location_id: shop.seeded.locationId });
      const [fulfillment] = (await storefront.order(order.id)).fulfillments;
      await storefront.admin('POST', `${path}/${fulfillment!.id}/shipments`, { items });
      await storefront.admin('POST', `${path}/${fulfillment!.id}/mark-as-delivered`);
      expect(await storefront.order(order.id)).toMatchObject({ ...PAID, fulfillment_status: 'delivered' });
    });

    it('is not placed by a request of the browser before the payment is final', async () => {
      const { storefront } = world();
      const cart = await storefront.cart();

      const unpaid = await storefront.complete(cart);
      const states = [await world().sessionStatus(cart)];
      await world().pay(cart, 12.5);
      await world().becomes(cart, 'processing');
      const seen = await storefront.complete(cart);
      states.push(await world().sessionStatus(cart));

      expect([unpaid, seen]).toEqual([
        expect.stringMatching(/not authorized/),
        expect.stringMatching(/not authorized/),
      ]);
      expect(states).toEqual(['requires_more', 'pending']);
      await world().becomes(cart, 'completed');
      expect(await storefront.complete(cart)).toBe('order');
      expect(await world().orderOf(cart)).toMatchObject(PAID);
    });

    it('is not paid by the payment of another cart', async () => {
      const { storefront } = world();
      const paid = await storefront.cart();
      await world().pay(paid, 12.5);
      await world().becomes(paid, 'completed');

      const data = { ...paid.session.data, payment_status: 'completed' };
      const thief = await storefront.cart('main', data);

      expect(thief.session.data.payment_request_id).not.toBe(paid.session.data.payment_request_id);
      expect(thief.session.data).toMatchObject({ session_id: thief.session.id, payment_status: 'pending' });
      expect(await storefront.complete(thief)).toMatch(/not authorized/);
      await world().orderOf(paid);
    });

    it('is paid only at its last price, and cannot change after a payment was seen', async () => {
      const { storefront, shop } = world();
      const first = await storefront.cart();
      const more = () =>
        storefront.store('POST', `/store/carts/${first.id}/line-items`, {
          ...{ variant_id: shop.seeded.variantId, quantity: 1 },
        });

      await more();
      await world().becomes(first, 'expired');
      const session = await storefront.paymentSession(first.collectionId);
      await world().pay({ session }, 22.5);
      await world().becomes({ session }, 'processing');
      await expect(more()).rejects.toThrow(/payment sessions/);
      await world().becomes({ session }, 'completed');

      // Medusa leaves its payment collection at the total that was refused: only the order's own sums say that it is paid.
      const summary = { paid_total: 22.5, pending_difference: 0 };
      expect(await world().orderOf(first)).toMatchObject({ status: 'pending', total: 22.5, summary });
    });

    it('is paid by a larger amount, of which Medusa captures its price', async () => {
      const cart = await world().storefront.cart();

      await world().pay(cart, 20);
      await world().becomes(cart, 'overpaid');

      const order = await world().orderOf(cart);
      expect(order).toMatchObject(PAID);
      expect(paymentOf(order).data).toMatchObject({
        payment_status: 'overpaid',
        received_amount: '20',
      });
    });

    it('is only authorized if a person captures payments, and is captured once', async () => {
      const { storefront } = world();
      const order = await authorized();
      expect(order).toMatchObject({ payment_status: 'authorized', summary: { paid_total: 0 } });

      await storefront.admin('POST', `/admin/payments/${paymentOf(order).id}/capture`, {});

      expect(await storefront.order(order.id)).toMatchObject(PAID);
    });

    it('is refunded if it is cancelled before its capture', async () => {
      const { storefront } = world();
      const { id } = await authorized();

      await storefront.admin('POST', `/admin/orders/${id}/cancel`);

      const order = await storefront.order(id);
      expect(order.status).toBe('canceled');
      expect(paymentOf(order)).toMatchObject({ canceled_at: expect.any(String), captures: [] });
      expect(paymentOf(order).data.refunds).toMatchObject([{ amount: '12.5', claim: expect.any(String) }]);
    });

    /** The order of a shop where a person captures. */
    async function authorized(): Promise<Order> {
      const { storefront, providers } = world();
      const cart = await storefront.cart('manual');
      await world().pay(cart, 12.5);
      await world().becomes(cart, 'completed', String(providers[1]!.options['pointOfSaleId']));
      return world().orderOf(cart);
    }
  });
}
