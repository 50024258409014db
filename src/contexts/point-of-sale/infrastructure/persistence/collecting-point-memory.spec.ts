import { describe, expect, it } from '@jest/globals';
import { newId, type PointOfSaleId } from '#shared/kernel/ids.js';
import type { PaymentPointOfSale } from '../../contract/points-of-sale.js';
import { PointOfSaleCache } from './postgres-points-of-sale.js';

const pointWith = (id: PointOfSaleId): PaymentPointOfSale => ({
  id,
  organizationId: newId(),
  accountId: newId(),
  type: 'online',
  merchant: { name: 'Shop' },
  paymentOptions: [],
  frameOrigins: [],
  checkoutFirst: 'address',
  openAmount: false,
  terms: new Map(),
  version: '1.0',
});

describe('The memory of points of sale', () => {
  it('evicts the entry that was unused for the longest time', () => {
    const memory = new PointOfSaleCache(2, 1000, () => 0);
    const [a, b, c] = [newId<PointOfSaleId>(), newId<PointOfSaleId>(), newId<PointOfSaleId>()];
    memory.store(pointWith(a));
    memory.store(pointWith(b));

    memory.find(a);
    memory.store(pointWith(c));

    expect([a, b, c].map((id) => memory.find(id)?.id)).toEqual([a, undefined, c]);
  });

  it('drops entries at the end of their age', () => {
    let now = 0;
    const memory = new PointOfSaleCache(2, 1000, () => now);
    const id = newId<PointOfSaleId>();
    memory.store(pointWith(id));

    now = 999;
    expect(memory.find(id)?.id).toBe(id);
    now = 1000;
    expect(memory.find(id)).toBeUndefined();
  });
});
