import { describe, expect, it } from '@jest/globals';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { CallerRateLimits, CallerRateLimit } from './caller-rate-limits.js';

const STATUS = new CallerRateLimit('status', 1, 5);
const HUNDRED = new CallerRateLimit('hundred', 100, 100);

/** @returns 0 if the call is allowed, otherwise the seconds to wait */
function taken(rates: CallerRateLimits, key: string, rate: CallerRateLimit): number {
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
  it('allows a burst, then one request per second, and says how long to wait', () => {
    const moment = { now: 7_000 };
    const rates = new CallerRateLimits(() => moment.now);
    const take = () => taken(rates, 'status', STATUS);

    const burst = times(7, take);
    moment.now += 999;
    const early = take();
    moment.now += 1;
    const after = times(2, take);

    expect([burst, early, after]).toEqual([[0, 0, 0, 0, 0, 1, 1], 1, [0, 1]]);
  });

  it('reports the remainder and the limit, up to the complete limit after a pause', () => {
    const moment = { now: 0 };
    const rates = new CallerRateLimits(() => moment.now);

    const left = times(5, () => rates.require('status', STATUS));
    times(1_000, () => taken(rates, 'status', STATUS));
    moment.now += 2_500;
    const later = rates.require('status', STATUS);
    moment.now += 3_600_000;
    expect(rates.require('status', STATUS)).toBe(4);
    expect([left, later]).toEqual([[4, 3, 2, 1, 0], 1]);
    expect(STATUS.headers(3)).toEqual([
      'RateLimit-Policy',
      '"status";q=5;w=5',
      'RateLimit',
      '"status";r=3;t=1',
    ]);
    expect(HUNDRED.policy).toEqual({ name: 'hundred', quota: 100, seconds: 1 });
    expect(new CallerRateLimit('uneven', 3, 10).policy).toEqual({ name: 'uneven', quota: 10, seconds: 4 });
  });

  it('rejects exactly the request after the one that reports no remainder', () => {
    const rates = new CallerRateLimits(() => 0);

    const left = times(100, () => rates.require('key', HUNDRED));

    expect([left[0], left.at(-1), taken(rates, 'key', HUNDRED)]).toEqual([99, 0, 1]);
    expect(() => rates.requireRemainingCall('key', HUNDRED)).toThrow(
      expect.objectContaining({ policy: HUNDRED.policy }),
    );
  });

  it('counts each key separately, and reading the remainder takes nothing', () => {
    const rates = new CallerRateLimits(() => 0);
    times(5, () => taken(rates, 'a', STATUS));

    expect([taken(rates, 'b', STATUS), taken(rates, 'a', STATUS)]).toEqual([0, 1]);
    expect(() => rates.requireRemainingCall('a', STATUS)).toThrow(RateLimited);
    for (let looks = 0; looks < 9; looks += 1) rates.requireRemainingCall('c', STATUS);
    expect(taken(rates, 'c', STATUS)).toBe(0);
  });

  it('is kept in bounded memory', () => {
    const rates = new CallerRateLimits(() => 0, 1_000);
    let allowed = 0;

    for (let n = 0; n < 10_000; n += 1) {
      taken(rates, `made up ${n}`, STATUS);
      if (n % 100 === 0 && taken(rates, 'persistent', STATUS) === 0) allowed += 1;
    }

    expect(rates.size).toBeLessThanOrEqual(1_000);
    expect(allowed).toBe(5);
  });
});
