import { describe, expect, it } from '@jest/globals';
import type { PaymentFigures } from '#contexts/payments/contract/payment-figures.js';
import { conversionOf, heightsOf, overviewOf, shownSeconds, daysUpTo, periodOf } from './overview.js';

const DAYS = ['2026-02-28', '2026-03-01'];
const USDC = { uniqueAssetId: 'n1', network: 'sandbox', currency: 'USDC', decimals: 6 };

const FIGURES: PaymentFigures = {
  counts: [
    { day: '2026-02-28', status: 'completed', count: 3 },
    { day: '2026-02-28', status: 'expired', count: 2 },
    { day: '2026-03-01', status: 'overpaid', count: 1 },
    { day: '2026-03-01', status: 'underpaid', count: 1 },
    { day: '2026-03-01', status: 'created', count: 4 },
  ],
  volumes: [
    { ...USDC, day: '2026-02-28', payments: 3, amount: 30_000_000n },
    { ...USDC, day: '2026-03-01', payments: 2, amount: 2n ** 200n },
  ],
};

describe('An overview', () => {
  it('counts what was paid in full of what was created, day by day', () => {
    const { days, created, paid, open } = overviewOf(FIGURES, DAYS);

    expect(days).toEqual([
      { day: '2026-02-28', created: 5, paid: 3 },
      { day: '2026-03-01', created: 6, paid: 1 },
    ]);
    expect({ created, paid, open }).toEqual({ created: 11, paid: 4, open: 4 });
  });

  it('adds up each asset exactly, also far above what a double holds', () => {
    expect(overviewOf(FIGURES, DAYS).assets).toEqual([
      { ...USDC, payments: 5, amount: 30_000_000n + 2n ** 200n, byDay: [30_000_000n, 2n ** 200n] },
    ]);
  });

  it('counts open requests neither for nor against the conversion', () => {
    expect(conversionOf(overviewOf(FIGURES, DAYS))).toBe('57.1 %');
    expect(conversionOf({ created: 4, open: 4, paid: 0 })).toBeUndefined();
  });

  it('is of no days but the whole days of UTC up to today', () => {
    expect(daysUpTo(new Date('2026-03-01T23:59:59Z'), 3)).toEqual(['2026-02-27', ...DAYS]);
    expect([{}, { days: '30' }, { days: '31' }, { days: '1e9' }].map(periodOf)).toEqual([7, 30, 7, 7]);
  });

  it('shows the smallest of bars, and none of nothing', () => {
    expect(heightsOf([0n, 1n, 500_000n, 1_000_000n])).toEqual([0, 20, 500, 1000]);
    expect(heightsOf([0n])).toEqual([0]);
  });

  it.each([
    [0.4, '0 s'],
    [200, '3 min 20 s'],
    [7500, '2 h 5 min'],
  ])('says %d seconds as %s', (seconds, words) => {
    expect(shownSeconds(seconds)).toBe(words);
  });
});
