import { describe, expect, it } from '@jest/globals';
import { readTransactionFilter, TransactionsPageQuery, timeZoneOf } from './transactions-page.query.js';

const query = (filters: Partial<TransactionsPageQuery>) =>
  Object.assign(new TransactionsPageQuery(), filters);

describe('The filter of transactions by day', () => {
  it.each([
    ['the organization’s', undefined, '2026-06-30T15:00:00.000Z'],
    ['the organization’s, where a browser sends an empty one', '', '2026-06-30T15:00:00.000Z'],
    ['the chosen one', 'Europe/Lisbon', '2026-06-30T23:00:00.000Z'],
  ])('begins days in the time zone: %s', async (_, zone, start) => {
    const asked = query({ from: '2026-07-01', ...(zone !== undefined && { zone }) });

    expect((await readTransactionFilter(asked, 'Asia/Tokyo')).created.from).toEqual(new Date(start));
    expect(timeZoneOf(asked, 'Asia/Tokyo')).toBe(zone || 'Asia/Tokyo');
  });

  it('includes the last day, which may be the same as the first day', async () => {
    const { created } = await readTransactionFilter(query({ from: '2026-07-01', to: '2026-07-01' }), 'UTC');

    expect(created).toEqual({ from: new Date('2026-07-01'), before: new Date('2026-07-02') });
    const reversed = query({ from: '2026-07-02', to: '2026-07-01' });
    await expect(readTransactionFilter(reversed, 'UTC')).rejects.toThrow('must not be before the first day');
  });
});
