import { describe, expect, it } from '@jest/globals';
import { nextToClose, refuseClosing, refuseReopening, type BooksState } from './closing-rule.js';
import { lastDayOf, addMonths, requirePeriodText, bookedPeriod } from './period.js';

const now = new Date('2030-05-01T00:00:00.000Z');
const FRESH: BooksState = { now, first: '2030-02', firstOpen: null, lastClosed: null };
const CLOSED: BooksState = { ...FRESH, firstOpen: '2030-04', lastClosed: '2030-03' };

describe('A month', () => {
  it('has a month before and after it, even in another year, and a last day', () => {
    expect([addMonths('2030-12', 1), addMonths('2030-01', -1)]).toEqual(['2031-01', '2029-12']);
    expect([lastDayOf('2028-02'), lastDayOf('2030-12')]).toEqual(['2028-02-29', '2030-12-31']);
  });

  it.each([undefined, '', '2030-13', '2030-1', '1999-01', '2030-01-01', ' 2030-01'])(
    'is rejected if it is not a valid month: %j',
    (text) => {
      expect(() => requirePeriodText('month', text)).toThrow('month: must be a month');
    },
  );
});

describe('The month of an entry', () => {
  const bookedAt = new Date('2030-05-01T00:03:00.000Z');

  it('is the month of the payment while that is open, and never a month after the booking', () => {
    const paid = new Date('2030-04-30T23:59:59.999Z');
    expect(bookedPeriod({ bookedAt, firstOpen: null }, paid)).toEqual({ period: '2030-04', bookedFor: null });
    expect(bookedPeriod({ bookedAt, firstOpen: '2030-04' }, paid).period).toBe('2030-04');
    expect(bookedPeriod({ bookedAt, firstOpen: null }, new Date('2030-06-01T00:00:00Z')).period).toBe(
      '2030-05',
    );
    expect(bookedPeriod({ bookedAt, firstOpen: null }).period).toBe('2030-05');
  });

  it('is the first open month if its own month is closed', () => {
    const paid = new Date('2030-03-31T23:59:59.999Z');
    expect(bookedPeriod({ bookedAt, firstOpen: '2030-04' }, paid)).toEqual({
      period: '2030-04',
      bookedFor: '2030-03',
    });
  });
});

describe('The closing of a month', () => {
  it('proceeds in order, from the first booked month to the last that has ended', () => {
    expect([nextToClose(FRESH), nextToClose(CLOSED)]).toEqual(['2030-02', '2030-04']);
    expect(nextToClose({ ...CLOSED, firstOpen: '2030-05' })).toBeUndefined();
    expect(() => refuseClosing(FRESH, '2030-02')).not.toThrow();
    expect(() => refuseClosing(CLOSED, '2030-04')).not.toThrow();
  });

  it.each([
    [FRESH, '2030-05', '2030-05 has not ended.'],
    [FRESH, '2030-06', '2030-06 has not ended.'],
    [FRESH, '2030-03', '2030-02 is still open. Close it before 2030-03.'],
    [FRESH, '2030-01', '2030-01 has no entries'],
    [CLOSED, '2030-03', '2030-03 is already closed.'],
    [CLOSED, '2030-02', '2030-02 is already closed.'],
  ])('is rejected if it is early, repeated or out of order: case %#', (books, period, message) => {
    expect(() => refuseClosing(books, period)).toThrow(message);
  });
});

describe('The reopening of a month', () => {
  it('is allowed only for the last closed month', () => {
    expect(() => refuseReopening(CLOSED, '2030-03')).not.toThrow();
    expect(() => refuseReopening(CLOSED, '2030-02')).toThrow('2030-03 must be reopened before 2030-02.');
    expect(() => refuseReopening(CLOSED, '2030-01')).toThrow(
      'Later months up to 2030-03 must be reopened before',
    );
    expect(() => refuseReopening(CLOSED, '2030-04')).toThrow(
      '2030-04 is not closed, so it cannot be reopened.',
    );
    expect(() => refuseReopening(FRESH, '2030-02')).toThrow(
      '2030-02 is not closed, so it cannot be reopened.',
    );
  });
});
