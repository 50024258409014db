import { describe, expect, it } from '@jest/globals';
import type { Caller } from '#shared/kernel/rate-limits.js';
import { CallerLimits } from './caller-limits.js';

const ONE: Caller = [{ name: '203.0.113.7', share: 1 }];

function limitsAt(moment: { now: number }, mostKeys?: number): CallerLimits {
  return new CallerLimits(() => moment.now, mostKeys);
}

describe('A limit per minute', () => {
  it('allows so many and then says how long to wait', () => {
    const moment = { now: 5_000 };
    const limits = limitsAt(moment);

    const answers = [1, 2, 3, 4].map(() => limits.take('status 203.0.113.7', 3));
    moment.now += 59_500;
    const later = limits.take('status 203.0.113.7', 3);

    expect(answers).toEqual([0, 0, 0, 60]);
    expect(later).toBe(1);
  });

  it('begins anew a minute after its first request, not before', () => {
    const moment = { now: 0 };
    const limits = limitsAt(moment);
    limits.take('a', 1);

    moment.now = 59_999.9;
    const before = limits.take('a', 1);
    moment.now = 60_000;
    const after = [limits.take('a', 1), limits.take('a', 1)];

    expect([before, after]).toEqual([1, [0, 60]]);
  });

  it('is not made longer by those who go on asking', () => {
    const moment = { now: 0 };
    const limits = limitsAt(moment);

    for (; moment.now < 60_000; moment.now += 100) limits.take('a', 2);

    expect([limits.take('a', 2), limits.take('a', 2)]).toEqual([0, 0]);
  });

  it('is counted for each key by itself', () => {
    const limits = limitsAt({ now: 0 });

    limits.take('a', 1);

    expect([limits.take('b', 1), limits.take('a', 1)]).toEqual([0, 60]);
  });
});

describe('What is left of a limit per minute', () => {
  it('is all of it before the first and after the minute, and is only looked at', () => {
    const moment = { now: 0 };
    const limits = limitsAt(moment);
    const before = limits.leftOf(ONE, 'a', 2);
    limits.takeOf(ONE, 'a', 2);
    moment.now = 10_400;
    const looks = [limits.leftOf(ONE, 'a', 2), limits.leftOf(ONE, 'a', 2)];
    limits.takeOf(ONE, 'a', 2);
    limits.takeOf(ONE, 'a', 2);
    const none = limits.leftOf(ONE, 'a', 2);
    moment.now = 60_000;

    expect(before).toEqual({ left: 2, seconds: 60 });
    expect(looks).toEqual([
      { left: 1, seconds: 50 },
      { left: 1, seconds: 50 },
    ]);
    expect([none, limits.leftOf(ONE, 'a', 2)]).toEqual([
      { left: 0, seconds: 50 },
      { left: 2, seconds: 60 },
    ]);
  });
});

describe('A limit of a caller', () => {
  const at = (subnet: number): Caller => [
    { name: `subnet ${subnet}`, share: 1 },
    { name: 'site', share: 2 },
  ];

  it('is one of each range, and a higher one of the wider range', () => {
    const limits = limitsAt({ now: 0 });

    const waits = [1, 1, 1, 2, 3].map((subnet) => limits.takeOf(at(subnet), 'a', 2));

    expect(waits).toEqual([0, 0, 60, 0, 0]);
    expect(limits.takeOf(at(4), 'a', 2)).toBe(60);
    expect(limits.leftOf(at(4), 'a', 2).left).toBe(2);
  });
});

describe('Its memory', () => {
  it('is bounded, whatever callers make up', () => {
    const limits = limitsAt({ now: 0 }, 1_000);

    for (let n = 0; n < 10_000; n += 1) limits.take(`made up ${n}`, 1);

    expect(limits.size).toBe(1_000);
  });

  it('keeps the count of a key that is asked for among many others', () => {
    const limits = limitsAt({ now: 0 }, 1_000);
    let allowed = 0;

    for (let n = 0; n < 10_000; n += 1) {
      limits.take(`made up ${n}`, 1);
      if (n % 100 === 0 && limits.take('persistent', 5) === 0) allowed += 1;
    }

    expect(allowed).toBe(5);
  });

  it('lets the oldest go first', () => {
    const limits = limitsAt({ now: 0 }, 1_000);
    limits.take('oldest', 1);
    for (let n = 0; n < 1_100; n += 1) limits.take(`other ${n}`, 1);
    limits.take('newest', 1);

    expect([limits.take('newest', 1), limits.take('oldest', 1)]).toEqual([60, 0]);
  });
});
