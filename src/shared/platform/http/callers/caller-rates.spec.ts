import { describe, expect, it } from '@jest/globals';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { CallerRates, Rate } from './caller-rates.js';

const STATUS = new Rate('status', 1, 5);
const HUNDRED = new Rate('hundred', 100, 100);

/** @returns 0 where it was allowed, else the seconds to wait */
function taken(rates: CallerRates, key: string, rate: Rate): number {
  try {
    rates.require(key, rate);
    return 0;
  } catch (error) {
    if (error instanceof RateLimited) return error.retryAfterSeconds;
    throw error;
  }
}

function times(count: number, take: () => number): number[] {
  return Array.from({ length: count }, take);
}

describe('A rate per second', () => {
  it('allows a burst and then one each second, and says how long to wait', () => {
    const moment = { now: 7_000 };
    const rates = new CallerRates(() => moment.now);
    const take = () => taken(rates, 'status', STATUS);

    const burst = times(7, take);
    moment.now += 999;
    const early = take();
    moment.now += 1;
    const after = times(2, take);

    expect([burst, early, after]).toEqual([[0, 0, 0, 0, 0, 1, 1], 1, [0, 1]]);
  });

  it('allows exactly so many in any second, however they come', () => {
    const moment = { now: 0 };
    const rates = new CallerRates(() => moment.now);
    let allowed = 0;

    for (; moment.now < 10_000; moment.now += 0.5) if (taken(rates, 'key', HUNDRED) === 0) allowed += 1;

    expect(allowed).toBe(100 + 999);
  });

  it('says how many are left, and what the limit is', () => {
    const moment = { now: 0 };
    const rates = new CallerRates(() => moment.now);

    const left = times(5, () => rates.require('status', STATUS));
    moment.now += 2_500;
    const later = rates.require('status', STATUS);

    expect([left, later]).toEqual([[4, 3, 2, 1, 0], 1]);
    expect(STATUS.fields(3)).toEqual([
      'RateLimit-Policy',
      '"status";q=5;w=5',
      'RateLimit',
      '"status";r=3;t=1',
    ]);
    expect(HUNDRED.policy).toEqual({ name: 'hundred', quota: 100, seconds: 1 });
    expect(new Rate('uneven', 3, 10).policy).toEqual({ name: 'uneven', quota: 10, seconds: 4 });
  });

  it('refuses the next at once where it says that none is left, and else not', () => {
    const moment = { now: 0 };
    const rates = new CallerRates(() => moment.now);
    const wrong: number[] = [];

    for (let turn = 0; turn < 500; turn += 1, moment.now += turn % 11) {
      if (taken(rates, 'key', HUNDRED) > 0) continue;
      for (let left = rates.require('other', HUNDRED); left > 0;) {
        const next = rates.require('other', HUNDRED);
        if (next !== left - 1) wrong.push(next);
        left = next;
      }
      if (taken(rates, 'other', HUNDRED) === 0) wrong.push(-1);
      moment.now += 10;
    }

    expect(wrong).toEqual([]);
    times(100, () => taken(rates, 'other', HUNDRED));
    expect(() => rates.demandLeft('other', HUNDRED)).toThrow(
      expect.objectContaining({ policy: HUNDRED.policy }),
    );
  });

  it('is whole again after a pause, and no more than whole', () => {
    const moment = { now: 0 };
    const rates = new CallerRates(() => moment.now);
    times(9, () => taken(rates, 'status', STATUS));

    moment.now += 3_600_000;

    expect(times(6, () => taken(rates, 'status', STATUS))).toEqual([0, 0, 0, 0, 0, 1]);
  });

  it('is not made longer by those who go on asking', () => {
    const moment = { now: 0 };
    const rates = new CallerRates(() => moment.now);
    times(1_000, () => taken(rates, 'status', STATUS));

    moment.now += 1_000;

    expect(taken(rates, 'status', STATUS)).toBe(0);
  });

  it('is counted for each key by itself, and only looked at where none is taken', () => {
    const rates = new CallerRates(() => 0);
    times(5, () => taken(rates, 'a', STATUS));

    expect([taken(rates, 'b', STATUS), taken(rates, 'a', STATUS)]).toEqual([0, 1]);
    expect(() => rates.demandLeft('a', STATUS)).toThrow(RateLimited);
    for (let looks = 0; looks < 9; looks += 1) rates.demandLeft('c', STATUS);
    expect(taken(rates, 'c', STATUS)).toBe(0);
  });

  it('is kept in bounded memory, whatever callers make up', () => {
    const rates = new CallerRates(() => 0, 1_000);
    let allowed = 0;

    for (let n = 0; n < 10_000; n += 1) {
      taken(rates, `made up ${n}`, STATUS);
      if (n % 100 === 0 && taken(rates, 'persistent', STATUS) === 0) allowed += 1;
    }

    expect(rates.size).toBeLessThanOrEqual(1_000);
    expect(allowed).toBe(5);
  });
});
