import { describe, expect, it } from '@jest/globals';
import { completeOrder, resolveMerchant, type PartialOrder } from './order.js';

const SHOP = { name: 'Corner Coffee', description: 'Coffee and cake', taxId: 'DE123', mcc: '5814' };
const PRICE = { amount: '12.5', coinCode: 'EUR' };

describe('The completion of an order', () => {
  it('fills in total and coin of the price and the merchant of the point of sale', () => {
    expect(completeOrder({}, PRICE, SHOP)).toEqual({
      total: '12.5',
      coin_code: 'EUR',
      merchant: { name: 'Corner Coffee', description: 'Coffee and cake', tax_id: 'DE123', mcc: '5814' },
    });
  });

  it('fills in quantity 1 and the coin of the order for each item', () => {
    const items = [{ description: 'A gift', amount: '0' }];

    expect(completeOrder({ coin_code: 'USD', items }, PRICE, SHOP)).toMatchObject({
      total: '12.5',
      coin_code: 'USD',
      items: [{ description: 'A gift', amount: '0', coin_code: 'USD', quantity: 1 }],
    });
  });

  it('keeps everything that the order states', () => {
    const item = { description: 'Cake', amount: '8', coin_code: 'CHF', unit_price: '4', quantity: 2 };
    const merchant = { name: 'Another', tax_id: 'FR1', image: 'https://shop.example/logo.png' };
    const order = { total: '13', coin_code: 'USD', description: 'Table 7', merchant, items: [item] };

    expect(completeOrder(order, PRICE, SHOP)).toEqual(order);
  });
});

describe('The merchant of a payment', () => {
  it.each<[string, PartialOrder | undefined, object]>([
    ['the point of sale’s without an order', undefined, SHOP],
    ['the point of sale’s without a merchant in it', {}, SHOP],
    [
      'the point of sale’s with the fields given, without a name',
      { merchant: { tax_id: 'FR1', image: 'https://shop.example/logo.png' } },
      { ...SHOP, taxId: 'FR1', image: 'https://shop.example/logo.png' },
    ],
    [
      'the order’s alone, with a name',
      { merchant: { name: 'Another', mcc: '5462' } },
      { name: 'Another', mcc: '5462' },
    ],
  ])('is that of the point of sale or of the order: %s', (_, order, merchant) => {
    expect(resolveMerchant(order, SHOP)).toEqual(merchant);
  });
});
