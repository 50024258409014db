import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RefundDto } from '#contexts/settlement/infrastructure/refunds/http/refund.dto.js';
import { eventually } from '#test/support/eventually.js';
import { readClaim } from '../read-claim.js';
import type { MedusaWorld } from './medusa-world.js';
import { paymentOf, type Order } from './storefront.js';

const PAYER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

export function medusaRefundsSuite(world: () => MedusaWorld): void {
  async function paidOrder(dollars = 12.5): Promise<Order> {
    const cart = await world().storefront.cart();
    await world().pay(cart, dollars);
    await world().becomes(cart, dollars > 12.5 ? 'overpaid' : 'completed');
    return world().orderOf(cart);
  }

  /** @returns the order after the merchant's refund, and the refund as the service has it */
  async function refunded(order: Order, amount: number): Promise<[Order, RefundDto]> {
    const { storefront, service } = world();
    await storefront.admin('POST', `/admin/payments/${paymentOf(order).id}/refund`, { amount });
    const after = await storefront.order(order.id);
    const made = paymentOf(after).data.refunds.at(-1)!;
    return [after, await service.api.get<RefundDto>(`/v1/refunds/${made.id}`)];
  }

  /** The payer names an address, the merchant approves. */
  async function paidOut(order: Order): Promise<RefundDto> {
    const { service } = world();
    const refund = paymentOf(order).data.refunds.at(-1)!;
    const [{ id }, claimUrl] = [refund, readClaim(refund, service.seed)];
    const body = new URLSearchParams({ refund_to_address: PAYER, confirmed: 'true' });
    expect((await fetch(claimUrl, { method: 'POST', redirect: 'manual', body })).status).toBe(303);
    await service.api.post(`/v1/refunds/${id}/approve`, {});
    return eventually(
      async () => {
        await service.chain.mineWhileWaiting(1);
        return service.api.get<RefundDto>(`/v1/refunds/${id}`);
      },
      ({ status }) => status === 'completed',
    );
  }

  describe('A refund in a Medusa shop', () => {
    beforeAll(async () => {
      const order = await paidOrder();
      const { payment_request_id } = paymentOf(order).data;
      const path = `/v1/refunds/payment-request/${payment_request_id}`;
      await world().fundFloat(() =>
        world()
          .service.api.post(path, { refund_to_address: PAYER })
          .then(() => '', String),
      );
    });

    it('pays a part to the payer who claims it, and the remainder later', async () => {
      const order = await paidOrder();

      const [part, first] = await refunded(order, 5);
      expect(part).toMatchObject({ payment_status: 'partially_refunded' });
      expect(first).toMatchObject({ status: 'pending', amount: '5', currency: 'USDC' });
      expect(await paidOut(part)).toMatchObject({
        status: 'completed',
        amount: '5',
        refund_to_address: PAYER,
      });
      const [whole, second] = await refunded(part, 7.5);

      expect(whole).toMatchObject({ payment_status: 'refunded' });
      expect(second).toMatchObject({ status: 'pending', amount: '7.5' });
      expect(paymentOf(whole).data.refunds).toHaveLength(2);
      await expect(refunded(whole, 1)).rejects.toThrow(/more than/);
    });

    it('returns the price of an overpaid order', async () => {
      const [order, refund] = await refunded(await paidOrder(20), 12.5);

      expect([order.payment_status, refund.amount]).toEqual(['refunded', '12.5']);
    });

    it('is created when the order is cancelled', async () => {
      const { storefront } = world();
      const { id } = await paidOrder();

      await storefront.admin('POST', `/admin/orders/${id}/cancel`);

      const order = await storefront.order(id);
      expect(order).toMatchObject({ status: 'canceled', payment_status: 'refunded' });
      expect(paymentOf(order).data.refunds).toMatchObject([{ amount: '12.5', claim: expect.any(String) }]);
    });

    it('is created if the goods are sold out when the payment is final', async () => {
      const { storefront, shop } = world();
      const { inventoryItemId, locationId } = shop.seeded;
      const stock = (stocked_quantity: number) =>
        storefront.admin('POST', `/admin/inventory-items/${inventoryItemId}/location-levels/${locationId}`, {
          stocked_quantity,
        });
      const [level] = await world().inMedusa<{ reserved_quantity: string }>(
        'SELECT reserved_quantity FROM inventory_level',
      );
      const cart = await storefront.cart();
      await stock(Number(level!.reserved_quantity));
      try {
        await world().pay(cart, 12.5);
        await world().becomes(cart, 'completed');

        const { refunds } = await eventually(
          () => world().payment(cart),
          (payment) => payment.refunds.length > 0,
        );

        expect(refunds).toMatchObject([{ status: 'pending', amount: '12.5' }]);
        expect(await storefront.complete(cart)).not.toBe('order');
      } finally {
        await stock(1_000);
      }
    });
  });
}
