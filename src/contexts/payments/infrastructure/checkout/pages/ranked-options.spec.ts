import { describe, expect, it } from '@jest/globals';
import { USDC } from '#contexts/payments/testing/checkout/sample-pages.js';
import type { PagePaymentOption } from './checkout-page-model.js';
import { rankOptions } from './ranked-options.js';

const option = (networkName: string, amount: string | undefined, fee?: string): PagePaymentOption => ({
  ...USDC,
  networkName,
  amount,
  networkFee: fee === undefined ? undefined : { amount: fee, coinCode: 'USD', isLess: false },
});
const ranked = (...options: PagePaymentOption[]) => {
  const { options: found, isSameFee } = rankOptions(options, '25.00');
  return {
    order: found.map(({ networkName }) => networkName),
    place: found[0]!.place,
    cheapest: found.filter(({ hasLowestFee }) => hasLowestFee).map(({ networkName }) => networkName),
    isSameFee,
  };
};

describe('The order of payment options', () => {
  it('recommends the lowest fee among options without an exchange rate, and lists unpriced options last', () => {
    const found = ranked(
      option('unpriced', undefined),
      option('converted', '0.01', '0.01'),
      option('dear', '25', '0.90'),
      option('cheap', '25', '0.05'),
    );

    expect(found).toEqual({
      order: ['cheap', 'dear', 'converted', 'unpriced'],
      ...{ place: 'recommended', cheapest: ['converted'], isSameFee: false },
    });
  });

  it('starts with the last network of the browser', () => {
    const last = { ...option('last', '25', '0.90'), isLastNetwork: true };

    expect(ranked(option('cheap', '25', '0.05'), last)).toMatchObject({
      ...{ order: ['last', 'cheap'], place: 'lastUsed', cheapest: ['cheap'] },
    });
  });

  it('keeps the order of the merchant if not all fees are known in one currency', () => {
    expect(ranked(option('first', '25', '0.90'), option('unknown', '25'))).toEqual({
      ...{ order: ['first', 'unknown'], place: 'recommended', cheapest: [], isSameFee: false },
    });
  });

  it('marks no fee as the lowest if all are the same, and nothing if there is one option', () => {
    const same = ranked(option('a', '25', '0.05'), option('b', '25', '0.05'));

    expect(same).toMatchObject({ cheapest: [], isSameFee: true });
    expect(ranked(option('a', '25', '0.05'))).toMatchObject({ place: undefined, isSameFee: false });
  });
});
