import { describe, expect, it } from '@jest/globals';
import { DateTime, type DurationLike } from 'luxon';
import { newId } from '#shared/kernel/ids.js';
import { end, offer, wallet, windowAfter } from '../testing/agreed.js';
import type { BillingInterval } from './billing-interval.js';
import type { Subscription } from './subscription.js';

const YEARS = 5;

/** Due dates of a subscription that is accepted then and always paid, as the clock goes from step to step. */
function charged(from: string, interval: BillingInterval): string[] {
  const start = new Date(from);
  const subscription = offer({ interval, createdAt: start, offeredUntil: windowAfter(start) });
  subscription.accept(wallet(), start, newId);
  const dates: string[] = [];
  for (let now = start; now < lastDay(from).toJSDate(); now = subscription.nextStepAt!) {
    subscription.advance(now, newId);
    dates.push(lastDueDate(subscription));
    end(subscription, 'paid', windowAfter(now));
  }
  return dates;
}

function lastDueDate({ chargesByNumber }: Subscription): string {
  return chargesByNumber.at(-1)!.snapshot.dueAt.toISOString();
}

/** The same dates by a calendar library, each counted from the first. */
function expected(from: string, each: (number: number) => DurationLike): string[] {
  const first = DateTime.fromISO(from, { zone: 'utc' });
  const dates: string[] = [];
  for (let number = 0; ; number += 1) {
    const date = first.plus(each(number));
    if (date >= lastDay(from)) return dates;
    dates.push(date.toJSDate().toISOString());
  }
}

function lastDay(from: string): DateTime {
  return DateTime.fromISO(from, { zone: 'utc' }).plus({ years: YEARS, days: 1 });
}

describe('Five years of due dates are those of a calendar library', () => {
  it.each<[BillingInterval, string, (number: number) => DurationLike, number]>([
    ['P1D', '2027-01-31T09:15:30.125Z', (days) => ({ days }), 1_827],
    ['P1W', '2027-01-31T09:15:30.125Z', (weeks) => ({ weeks }), 261],
    ['P1M', '2027-01-29T09:15:30.125Z', (months) => ({ months }), 61],
    ['P1M', '2027-01-30T09:15:30.125Z', (months) => ({ months }), 61],
    ['P1M', '2027-01-31T09:15:30.125Z', (months) => ({ months }), 61],
    ['P1Y', '2028-02-29T23:59:59.999Z', (years) => ({ years }), 6],
  ])('%s from %s', (interval, from, each, count) => {
    const dates = charged(from, interval);

    expect(dates).toEqual(expected(from, each));
    expect(dates).toHaveLength(count);
  });
});
