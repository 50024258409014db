import { describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import type { MedusaWorld } from './medusa-world.js';
import { paymentOf, type Order } from './storefront.js';
import { PAID } from './orders.suite.js';

const FORGED = `whsec_${'Ab1'.repeat(14)}Zz`;

/** Medusa writes the time anew at which it last saw a collection complete. */
const stateOf = (order: Order) =>
  JSON.stringify(order, (key, value: unknown) => (['completed_at', 'updated_at'].includes(key) ? '' : value));

export function medusaWebhooksSuite(world: () => MedusaWorld): void {
  /** Medusa handles webhooks seconds after it has answered: waits until it has handled one more that is refused. */
  async function handled(): Promise<void> {
    const refusals = () => world().shop.log().split('A webhook was refused').length;
    const before = refusals();
    const other = await world().storefront.cart();
    expect(await world().deliver(other, 'completed', FORGED)).toBe(200);
    await eventually(refusals, (count) => count > before);
    expect(await world().sessionStatus(other)).toBe('pending');
    expect(await world().storefront.complete(other)).toMatch(/not authorized/);
  }

  describe('A webhook to a Medusa shop', () => {
    it('changes nothing if it is repeated, out of order or forged', async () => {
      const cart = await world().storefront.cart();
      // It comes before anything was paid, with a good signature: a replay, or a secret that leaked.
      expect(await world().deliver(cart, 'completed')).toBe(200);
      await handled();
      expect(await world().sessionStatus(cart)).toBe('pending');

      await world().pay(cart, 12.5);
      await world().becomes(cart, 'completed');
      const order = await world().orderOf(cart);
      expect(order).toMatchObject(PAID);

      const later = ['completed', 'processing', 'completed', 'underpaid', 'expired'];
      for (const status of later) expect(await world().deliver(cart, status)).toBe(200);
      await handled();

      expect(stateOf(await world().storefront.order(order.id))).toEqual(stateOf(order));
      const rows = await world().inMedusa('SELECT id FROM capture WHERE payment_id = $1', [
        paymentOf(order).id,
      ]);
      expect(rows).toHaveLength(1);
    });

    it('places the order before Medusa has stored the payment of its session', async () => {
      const { storefront, way, service } = world();
      const held = way.hold(/payment-request-checkout$/);
      const answer = storefront.cart();
      await held.reached;
      const [made] = await service.query<{ id: string; reference_id: string }>(
        'SELECT id, reference_id FROM payments.payment_requests ORDER BY created_at DESC LIMIT 1',
      );
      const path = `/v1/pos/${service.seed.posId}/payment-request/${made!.id}`;
      const { hosted_checkout_url } = await service.api.get<{ hosted_checkout_url: string }>(path);
      const session = {
        id: made!.reference_id,
        status: 'pending',
        provider_id: '',
        data: { payment_request_id: made!.id, hosted_checkout_url },
      };

      await world().pay({ session }, 12.5);
      await world().becomes({ session }, 'completed');
      const [{ cart_id: id } = { cart_id: '' }] = await world().inMedusa<{ cart_id: string }>(
        `SELECT cart_id FROM cart_payment_collection
         JOIN payment_session USING (payment_collection_id) WHERE payment_session.id = $1`,
        [made!.reference_id],
      );
      expect(await world().orderOf({ id })).toMatchObject(PAID);
      held.release();

      const cart = await answer;
      expect(cart.session.data.payment_request_id).toBe(made!.id);
      expect(await world().orderOf(cart)).toMatchObject(PAID);
    });
  });
}
