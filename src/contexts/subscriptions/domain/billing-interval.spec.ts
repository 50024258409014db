import { describe, expect, it } from '@jest/globals';
import { dueDate, type BillingInterval } from './billing-interval.js';

function days(first: string, interval: BillingInterval, count: number): string[] {
  return Array.from({ length: count }, (_, number) =>
    dueDate(new Date(first), interval, number).toISOString().slice(0, 10),
  );
}

describe('The due date of a subscription', () => {
  it('keeps the day of the month or uses the last day of a shorter month', () => {
    expect(days('2027-12-31T09:30:00Z', 'P1M', 5)).toEqual([
      ...['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31', '2028-04-30'],
    ]);
  });

  it('falls on 28 February in years without 29 February', () => {
    expect(days('2028-02-29T00:00:00Z', 'P1Y', 5)).toEqual([
      ...['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ]);
  });

  it('moves by whole days in UTC for weeks and days', () => {
    expect(days('2026-03-28T23:59:59Z', 'P1D', 3)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(days('2026-12-28T12:00:00Z', 'P1W', 2)).toEqual(['2026-12-28', '2027-01-04']);
  });

  it('keeps the time of day to the millisecond', () => {
    const due = dueDate(new Date('2027-01-31T23:59:59.999Z'), 'P1M', 1);

    expect(due.toISOString()).toBe('2027-02-28T23:59:59.999Z');
  });
});
