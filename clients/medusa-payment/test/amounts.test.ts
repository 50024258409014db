import { describe, expect, it } from '@jest/globals';
import { toDecimal, priceOf } from '../../plugin-contract/src/price.js';
import { hasUnrefundedPayment, refundAmount } from '../../plugin-contract/src/refund-amounts.js';
import { aPayment } from './support/a-payment.js';

const bigNumberJs = { toString: () => '7.25' };

describe('The price of a session', () => {
  it.each([
    ['12.50', 'usd', '12.5'],
    [{ value: '10.005', precision: 20 }, 'usd', '10.01'],
    [{ raw: { value: '10.0049999', precision: 20 }, numeric: 10.004 }, 'usd', '10'],
    [bigNumberJs, 'usd', '7.25'],
    [1200.5, 'jpy', '1201'],
    ['1.2345', 'kwd', '1.235'],
    ['12.505', 'huf', '12.51'],
    ['0.00012345', 'usdc', '0.00012345'],
    [1e21, 'usd', '1000000000000000000000'],
    [1.5e-7, 'btcx', '0.00000015'],
  ])('is rounded to the digits of its currency: %j %s becomes %s', (amount, code, text) => {
    expect(priceOf(amount, code)).toEqual({ amount: text, coin_code: code.toUpperCase() });
  });

  it.each([
    [0, 'must be above zero'],
    ['0.004', 'must be above zero'],
    [-1, 'must be a non-negative number'],
    ['12,50', 'must be a non-negative number'],
    [undefined, 'must be a non-negative number'],
  ])('is rejected if it is not a positive number: %j', (amount, words) => {
    expect(() => priceOf(amount, 'usd')).toThrow(words);
  });
});

describe('A refund in the received asset', () => {
  const refund = (part: unknown, received: string, status = 'completed') =>
    refundAmount(aPayment(status, { received }), toDecimal(part), '12.5', 6);

  it.each([
    ['the whole price', 12.5, '13.520004', '13.520004'],
    ['a part', 5, '13.520004', '5.408001'],
    ['a third, rounded down', '4.166666666', '13.520004', '4.506667'],
    ['the price, where more was received', 12.5, '20', '13.520004'],
    ['the price, where less was accepted', 12.5, '13.4', '13.4'],
  ])('is converted from the currency of the shop: %s', (_, part, received, amount) => {
    expect(refund(part, received)).toBe(amount);
  });

  it.each([
    ['more than the price', 12.51, 'exceeds the price'],
    ['too little', '0.0000001', 'less than the smallest unit'],
  ])('is rejected if it is %s', (_, part, words) => {
    expect(() => refund(part, '13.520004')).toThrow(words);
  });

  it.each([
    ['nothing', [], true],
    ['a part', [['pending', '13.5']], true],
    [
      'everything',
      [
        ['pending', '5'],
        ['completed', '8.520004'],
      ],
      false,
    ],
    ['everything, but it failed', [['failed', '13.520004']], true],
  ] as const)('leaves money of the payment with the shop after a refund of %s: %s', (_, refunds, isLeft) => {
    const made = refunds.map(([status, amount]) => ({ status, amount }));

    expect(hasUnrefundedPayment(aPayment('completed', { received: '13.520004', refunds: made }))).toBe(
      isLeft,
    );
  });
});
