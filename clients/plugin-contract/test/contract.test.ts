import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { checkoutBody } from '../src/checkout-body.js';
import { outcomeOf } from '../src/order-states.js';
import { toDecimal, priceOf, roundedPrice } from '../src/price.js';
import { refundAmount } from '../src/refund-amounts.js';
import { checkoutCases, orderCases, paymentOf, priceCases, refundCases } from './support.js';

describe('The recorded case of the plugins', () => {
  it.each(priceCases)('rounds $amount $currency', ({ amount, currency, price, refused }) => {
    if (refused !== undefined) expect(() => priceOf(amount, currency)).toThrow(refused);
    else expect(priceOf(amount, currency)).toEqual({ amount: price, coin_code: currency.toUpperCase() });
  });

  it.each(refundCases)('refunds: $name', ({ part, price, currency, decimals, payment, amount, refused }) => {
    const asked = roundedPrice(part, currency) === price ? price : part;
    const refund = () => refundAmount(paymentOf(payment), toDecimal(asked), price, decimals);
    if (refused !== undefined) expect(refund).toThrow(refused);
    else expect(refund()).toBe(amount);
  });

  it.each(checkoutCases)('opens a checkout: $name', ({ reference_id, price, items, return_url, body }) => {
    expect(checkoutBody(reference_id, price, { items, returnUrl: return_url })).toEqual(body);
  });

  it('keeps an order waiting if an earlier request of it expires', () => {
    const order = {
      state: 'waiting',
      paymentId: 'request-1',
      price: { amount: '12.50', coin_code: 'EUR' },
    } as const;
    const after = (id: string) => outcomeOf(order, paymentOf({ id, status: 'expired' })).state;

    expect([after('request-0'), after('request-1')]).toEqual(['waiting', 'unpaid']);
  });

  it('exists for each rule about orders', () => {
    const page = readFileSync('clients/plugin-contract/README.md', 'utf8');
    const rules = [...page.matchAll(/^- \*\*(O\d+)\*\*/gm)].map(([, rule]) => rule!);
    const shown = new Set(orderCases.flatMap((one) => one.rules));

    expect([...shown].sort()).toEqual(rules.sort());
  });
});
