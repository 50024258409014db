import { describe, expect, it } from '@jest/globals';
import { readTransactionFilter, TransactionsPageQuery, zoneOf } from './transactions-page.query.js';

const query = (filters: Partial<TransactionsPageQuery>) =>
  Object.assign(new TransactionsPageQuery(), filters);

describe('Days of the transactions’ filters', () => {
  it.each([
    ['the organization’s', undefined, '2026-06-30T15:00:00.000Z'],
    ['the organization’s, where a browser sends an empty one', '', '2026-06-30T15:00:00.000Z'],
    ['the chosen one', 'Europe/Lisbon', '2026-06-30T23:00:00.000Z'],
  ])('are of the zone: %s', async (_, zone, start) => {
    const asked = query({ from: '2026-07-01', ...(zone !== undefined && { zone }) });

    expect((await readTransactionFilter(asked, 'Asia/Tokyo')).created.from).toEqual(new Date(start));
    expect(zoneOf(asked, 'Asia/Tokyo')).toBe(zone || 'Asia/Tokyo');
  });
});
