import { describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import type { MedusaWorld } from './medusa-world.js';
import { PAID } from './orders.suite.js';

const HOUR = 3_600;
const WINDOW = 600;

export function medusaOutagesSuite(world: () => MedusaWorld): void {
  describe('A Medusa shop that was away', () => {
    it('places the order of a payment during an outage after a repeated webhook', async () => {
      const { storefront, service, shop, providers } = world();
      const cart = await storefront.cart();
      await shop.kill();
      await world().pay(cart, 12.5);
      await world().becomes(cart, 'completed');
      await service.advance(HOUR);

      await shop.start(providers);
      await service.advance(3 * HOUR);

      expect(await world().orderOf(cart)).toMatchObject(PAID);
    });

    it('places the order of a webhook that was lost in a kill by its scheduled job', async () => {
      const { storefront, shop, providers } = world();
      const cart = await storefront.cart();
      await world().pay(cart, 12.5);
      const received = () => shop.log().split('/hooks/payment/payment-collection_main').length;
      const before = received();
      await world().becomes(cart, 'completed');
      await eventually(received, (count) => count >= before + 1);
      await shop.kill();

      await shop.start(providers, { catchesUp: true });

      expect(await world().orderOf(cart)).toMatchObject(PAID);
    });
  });

  describe('A payment session of a Medusa shop', () => {
    it('ends as an error after a partial payment, and another session pays the cart', async () => {
      const { storefront, service } = world();
      const cart = await storefront.cart();
      await world().pay(cart, 5);
      await world().becomes(cart, 'processing');
      await service.advance(WINDOW);
      await world().becomes(cart, 'underpaid');

      await eventually(
        () => world().sessionStatus(cart),
        (status) => status === 'error',
      );
      expect(await storefront.complete(cart)).toMatch(/Payment sessions are required/);
      const session = await storefront.paymentSession(cart.collectionId);
      await world().pay({ session }, 12.5);
      await world().becomes({ session }, 'completed');
      expect(await world().orderOf(cart)).toMatchObject(PAID);
    });

    it('is canceled without a payment in time, and a late payment places no order', async () => {
      const { storefront, service } = world();
      const cart = await storefront.cart();
      const address = await world().address(cart);
      await service.advance(WINDOW);
      await world().becomes(cart, 'expired');
      await eventually(
        () => world().sessionStatus(cart),
        (status) => status === 'canceled',
      );

      await world().send(address, 12.5);

      const late = await eventually(
        async () => {
          await service.chain.mineWhileWaiting(1);
          return world().payment(cart);
        },
        ({ deposits }) => deposits.length > 0,
      );
      expect([late.status, late.fulfilled]).toEqual(['expired', false]);
      expect(await storefront.complete(cart)).toMatch(/Payment sessions are required/);
    });
  });
}
