import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import type { DailyAnalyticsValue } from '#contexts/analytics/contract/daily-analytics.js';
import { lastDays, buildOverview, type CurrencyVolume, selectedSpan } from './overview.js';
import type { TranslatedPhrase } from '#shared/web/dashboard/words/text.js';
import { buildTotal } from './overview-total.js';
import { SetupCard } from './overview-parts.js';
import type { AttentionItem } from './overview-queries.js';
import {
  formatChange,
  formatPaidWithin,
  formatPointsChange,
  describeAttention,
  formatPercentTenths,
} from './overview-texts.js';

const DAYS = ['2026-02-26', '2026-02-27', '2026-02-28', '2026-03-01'];
const USDC = { network: 'sandbox', currency: 'USDC', decimals: 6 };
const WIDE_USDC = { network: 'other', currency: 'USDC', decimals: 18 };
const LARGE = 2n ** 200n;

const requests = (day: string, part: string, number: number): DailyAnalyticsValue => ({
  ...{ day, figure: 'requests', part, number, amount: 0n },
});
const money = (
  day: string,
  figure: DailyAnalyticsValue['figure'],
  number: number,
  amount: bigint,
  asset = USDC,
): DailyAnalyticsValue => ({ day, figure, part: `n${asset.network}_tUSDC`, number, amount, asset });

const FIGURES: DailyAnalyticsValue[] = [
  requests('2026-02-26', 'completed', 1),
  requests('2026-02-27', 'expired', 1),
  requests('2026-02-28', 'completed', 3),
  requests('2026-02-28', 'expired', 2),
  requests('2026-03-01', 'overpaid', 1),
  requests('2026-03-01', 'underpaid', 1),
  requests('2026-03-01', 'created', 4),
  money('2026-02-27', 'paid', 1, 10_000_000n),
  money('2026-02-28', 'paid', 3, 30_000_000n),
  money('2026-02-28', 'deposited', 1, 1_000_000n),
  money('2026-03-01', 'reversed', 1, 2_000_000n),
  money('2026-03-01', 'settled', 2, 20_000_000n),
  money('2026-03-01', 'refunded', 1, 3n),
  money('2026-03-01', 'paid', 2, LARGE, WIDE_USDC),
  { day: '2026-02-26', figure: 'paid_within', part: '15', number: 90, amount: 0n },
  { day: '2026-02-28', figure: 'paid_within', part: '60', number: 5, amount: 0n },
  { day: '2026-03-01', figure: 'paid_within', part: '300', number: 4, amount: 0n },
  { day: '2026-03-01', figure: 'paid_within', part: 'longer', number: 1, amount: 0n },
];

const overview = buildOverview(FIGURES, DAYS);

describe('An overview', () => {
  it('counts paid and created requests per day, next to the previous span', () => {
    expect(lastDays(new Date('2026-03-01T23:59:59Z'), 4)).toEqual(DAYS);
    expect([{}, { days: '30' }, { days: '31' }].map(selectedSpan)).toEqual([7, 30, 7]);
    expect(overview.days).toEqual(DAYS.slice(2));
    expect(overview.paidWithin).toEqual({ half: '60', most: '300' });
    expect([overview.created, overview.paid]).toEqual([
      [5, 6],
      [3, 1],
    ]);
    expect(overview.payments).toEqual({ now: 5, before: 1 });
    expect(overview.statuses.map(({ status, count }) => `${status} ${count}`)).toEqual([
      'created 4',
      'completed 3',
      'expired 2',
      'overpaid 1',
      'underpaid 1',
    ]);
  });

  it('ignores open requests in the conversion rate', () => {
    expect(overview.conversion).toEqual({ now: 571, before: 500 });
    expect(buildOverview([requests('2026-03-01', 'created', 4)], DAYS).conversion.now).toBeUndefined();
  });

  it('sums up a currency over its assets exactly, with deposits and without reversed money', () => {
    const scale = 10n ** 12n;

    expect(overview.currencies).toEqual([
      {
        ...{ currency: 'USDC', decimals: 18, payments: { now: 5, before: 1 } },
        volume: { now: 29_000_000n * scale + LARGE, before: 10_000_000n * scale },
        byDay: { now: [31_000_000n * scale, LARGE - 2_000_000n * scale], before: [0n, 10_000_000n * scale] },
      },
    ]);
    expect(overview.assets).toEqual([
      {
        ...USDC,
        ...{ uniqueAssetId: 'nsandbox_tUSDC', payments: 3, received: 29_000_000n, settled: 20_000_000n },
        refunded: 3n,
      },
      {
        ...WIDE_USDC,
        ...{ uniqueAssetId: 'nother_tUSDC', payments: 2, received: LARGE, settled: 0n, refunded: 0n },
      },
    ]);
  });

  it('compares only with a span that had payments', () => {
    expect([formatChange({ now: 9n, before: 8n }), formatChange({ now: 1n, before: 3n })]).toEqual([
      '+12.5 %',
      '-66.6 %',
    ]);
    expect(formatChange({ now: 5n, before: 0n })).toBeUndefined();
    expect(formatChange({ now: 5n, before: 5n })).toBe('0 %');
    expect(renderToString(formatPointsChange({ now: 5, before: 5 })!)).toBe('0 points');
    expect(renderToString(formatPointsChange({ now: 571, before: 500 })!)).toBe('+7.1 points');
    expect(formatPointsChange({ now: 1, before: undefined })).toBeUndefined();
    expect([formatPercentTenths(571), formatPercentTenths(undefined)]).toEqual(['57.1 %', '–']);
  });

  it('names the time in which payments were complete in the largest whole unit', () => {
    const shown = ['30', '60', '1800', '3600', '86400'].map((part) => formatPaidWithin(part, 'en'));

    expect(shown).toEqual(['30 seconds', '1 minute', '30 minutes', '1 hour', '24 hours']);
    expect(renderToString(formatPaidWithin('longer', 'en') as TranslatedPhrase)).toBe('more than a day');
  });

  it('lists currencies and assets with the most payments first, and no status without requests', () => {
    const bitcoin = { network: 'bitcoin', currency: 'BTC', decimals: 8 };
    const { currencies, assets, statuses } = buildOverview(
      [
        requests('2026-03-01', 'expired', 0),
        money('2026-02-26', 'paid', 9, 1n),
        money('2026-03-01', 'paid', 1, 1n),
        money('2026-03-01', 'paid', 2, 1n, bitcoin),
      ],
      DAYS,
    );

    expect(currencies.map(({ currency }) => currency)).toEqual(['BTC', 'USDC']);
    expect(assets.map(({ currency, payments }) => [currency, payments])).toEqual([
      ...[
        ['BTC', 2],
        ['USDC', 1],
      ],
    ]);
    expect(statuses).toEqual([]);
  });

  it('lists items by urgency and links to where each can be handled', () => {
    const found = [
      { kind: 'deposit', number: 100, about: 'p1' },
      { kind: 'gas', number: 1, about: 'Sandbox' },
      { kind: 'gas', number: 1, about: 'Polygon' },
      { kind: 'overpaid', number: 99, about: 'p2' },
      { kind: 'webhook_failing', number: 1, about: 'w1' },
    ] as const;

    const shown = describeAttention(found, (network) => network);
    expect(shown.map(({ text, href }) => [renderToString(text), href])).toEqual([
      ['1 webhook failing for 5 days', '/app/webhooks/w1'],
      ['The refund float on Sandbox has gas for fewer than five refunds', '/app/refunds'],
      ['The refund float on Polygon has gas for fewer than five refunds', '/app/refunds'],
      ['99 overpaid payments: refund the excess', '/app/payments?status=overpaid'],
      ['100 or more unexpected payments not refunded', '/app/payments/p1'],
    ]);
  });

  it.each([
    ['deposit', 1, 'View the payment', '/app/payments/x1'],
    ['underpaid', 1, 'View the payment', '/app/payments/x1'],
    ['overpaid', 1, 'View the payment', '/app/payments/x1'],
    ['overpaid', 2, 'View payments', '/app/payments?status=overpaid'],
    ['held', 2, 'View the latest payment', '/app/payments/x1'],
    ['refund_approval', 1, 'Review', '/app/refunds/x1'],
    ['refund_payer', 1, 'View the refund', '/app/refunds/x1'],
    ['refund_payer', 2, 'View refunds', '/app/refunds?status=pending'],
    ['webhook_failing', 2, 'View webhooks', '/app/webhooks'],
    ['float', 1, 'View refunds', '/app/refunds?status=pending'],
  ] as const)('has a button for each kind: %s, %s', (kind, number, action, href) => {
    expect(describeAttention([{ kind, number, about: 'x1' }], String)).toMatchObject([{ action, href }]);
  });

  it('values all assets in one currency exactly, and names those without a rate', () => {
    const at = new Date('2026-03-01T12:00:00Z');
    const rates = new Map([
      ['USDC', { price: '1', sources: ['peg'], at }],
      ['ETH', { price: '3000.105', sources: ['kraken'], at }],
    ]);
    const volume = (currency: string, decimals: number, now: bigint): CurrencyVolume => ({
      ...{ currency, decimals, payments: { now: 1, before: 0 } },
      volume: { now, before: -now },
      byDay: { now: [now, 0n], before: [0n, -now] },
    });
    const volumes = [volume('USDC', 6, 10_000_000n), volume('ETH', 18, 10n ** 18n), volume('BTC', 8, 1n)];
    const withoutPayments = volume('DOGE', 8, 0n);

    const total = buildTotal(
      'USD',
      rates,
      [...volumes, withoutPayments],
      [{ currency: 'USDC', decimals: 6, amount: 5_000n }],
    );

    expect(total).toEqual({
      ...{ currency: 'USD', decimals: 2, rates, unsettled: 1n, missing: ['BTC'] },
      volume: { now: 301_011n, before: -301_011n },
      byDay: { now: [301_011n, 0n], before: [0n, -301_011n] },
    });
    expect(buildTotal('JPY', rates, [], [])).toMatchObject({ decimals: 0, volume: { now: 0n }, missing: [] });
  });

  it('shows the open steps of the set-up to people who can do them', () => {
    const attention = [{ kind: 'no_webhook', number: 1, about: null }] as const;
    const shown = (mayManage: boolean, open: readonly AttentionItem[] = attention) =>
      renderToString(h(SetupCard, { attention: open, mayManage })).replaceAll(/<[^>]+>/g, '|');

    expect(shown(true)).toMatch(/Get started\|+Receive payments in your shop by webhook\|+Continue\|+$/);
    expect([shown(false), shown(true, [])]).toEqual(['', '']);
  });
});
