import { describe, expect, it } from '@jest/globals';
import { FIRST_WINDOW, weights } from '#shared/web/testing/visible-text.js';
import { pageBranding } from '#shared/web/branding/page-branding.js';
import type { PageOption } from './checkout-page-model.js';
import { renderCheckoutPage } from './checkout-page.js';
import { EVERY_PAGE, pendingPage, sampleToken, SELECTED, USDC } from './testing/sample-pages.js';

function toTheFirstCode(html: string): string {
  const start = html.indexOf('src="data:image/png');
  expect(start).toBeGreaterThan(0);
  return html.slice(0, html.indexOf('>', start) + 1);
}

const options = Array.from({ length: 10 }, (_, i): PageOption => ({
  ...USDC,
  uniqueAssetId: `n${sampleToken(40 + i).slice(-12)}_t0x${(BigInt(i + 1) * 0x9e3779b97f4a7c15n ** 2n).toString(16).padStart(40, '0')}`,
  networkName: `Network ${i}`,
  networkFee: { amount: `0.${i}7`, coinCode: 'EUR', isLess: i % 2 === 0 },
  amount: `27.1${i}2819`,
}));
const token = sampleToken(1500);
const branding = pageBranding({
  colour: '#ffcc00',
  logo: { path: `/logo/0${sampleToken(80).slice(-64)}`, width: 1024, height: 1024 },
});
const worst = pendingPage({
  branding,
  token,
  options,
  wallets: [{ name: 'Harbour', url: `https://wallet.example/pay?naspip_token=${token}` }],
  order: {
    total: '1234.50',
    coin_code: 'EUR',
    description: sampleToken(512),
    items: Array.from({ length: 50 }, (_, i) => ({
      description: sampleToken(256 + i).slice(-256),
      amount: `${i}.50`,
      coin_code: 'EUR',
      quantity: 1,
    })),
  },
});

describe('The first window of a connection', () => {
  it.each([
    ['nothing is chosen', worst],
    [
      'an asset is chosen',
      { ...worst, status: 'created' as const, selected: { ...SELECTED, ...options[0], amount: '27.102819' } },
    ],
  ])('holds the worst page to the end of its first code while %s', (_, model) => {
    for (const weight of weights(toTheFirstCode(renderCheckoutPage(model, 'pt')))) {
      expect(weight).toBeLessThanOrEqual(FIRST_WINDOW);
    }
  });

  it.each(Object.entries(EVERY_PAGE))('holds all of a page that is %s', (_, model) => {
    for (const weight of weights(renderCheckoutPage({ ...model, branding }, 'es'))) {
      expect(weight).toBeLessThanOrEqual(FIRST_WINDOW);
    }
  });
});
