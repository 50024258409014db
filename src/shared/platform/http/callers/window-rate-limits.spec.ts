import { describe, expect, it } from '@jest/globals';
import type { CallerAddressRanges } from '#shared/kernel/rate-limits.js';
import { WindowRateLimits } from './window-rate-limits.js';

const ONE: CallerAddressRanges = [{ name: '203.0.113.7', share: 1 }];

function limitsAt(moment: { now: number }, mostKeys?: number): WindowRateLimits {
  return new WindowRateLimits(() => moment.now, mostKeys);
}

describe('A limit per minute', () => {
  it('allows the given number, says how long to wait, and starts again after exactly a minute', () => {
    const moment = { now: 5_000 };
    const limits = limitsAt(moment);

    const answers = [1, 2, 3, 4].map(() => limits.countCall('status 203.0.113.7', 3));
    moment.now += 59_999.9;
    const before = limits.countCall('status 203.0.113.7', 3);
    moment.now += 0.1;

    expect(answers).toEqual([0, 0, 0, 60]);
    expect([before, limits.countCall('status 203.0.113.7', 3)]).toEqual([1, 0]);
  });

  it('counts each key separately, and is not extended by further requests', () => {
    const moment = { now: 0 };
    const limits = limitsAt(moment);

    for (; moment.now < 60_000; moment.now += 100) limits.countCall('a', 2);

    expect(['a', 'a', 'a', 'b'].map((key) => limits.countCall(key, 2))).toEqual([0, 0, 60, 0]);
  });
});

describe('The remainder of a limit per minute', () => {
  it('is complete before the first request and after a minute, and reading it takes nothing', () => {
    const moment = { now: 0 };
    const limits = limitsAt(moment);
    const before = limits.remainderOf(ONE, 'a', 2);
    limits.countCallInRanges(ONE, 'a', 2);
    moment.now = 10_400;
    const looks = [limits.remainderOf(ONE, 'a', 2), limits.remainderOf(ONE, 'a', 2)];
    limits.countCallInRanges(ONE, 'a', 2);
    limits.countCallInRanges(ONE, 'a', 2);
    const none = limits.remainderOf(ONE, 'a', 2);
    moment.now = 60_000;

    expect(before).toEqual({ left: 2, seconds: 60 });
    expect(looks).toEqual(Array(2).fill({ left: 1, seconds: 50 }));
    expect(none).toEqual({ left: 0, seconds: 50 });
    expect(limits.remainderOf(ONE, 'a', 2)).toEqual({ left: 2, seconds: 60 });
  });
});

describe('A limit of a caller', () => {
  const at = (subnet: number): CallerAddressRanges => [
    { name: `subnet ${subnet}`, share: 1 },
    { name: 'site', share: 2 },
  ];

  it('applies to each range, with a higher limit for the wider range', () => {
    const limits = limitsAt({ now: 0 });

    const waits = [1, 1, 1, 2, 3].map((subnet) => limits.countCallInRanges(at(subnet), 'a', 2));

    expect(waits).toEqual([0, 0, 60, 0, 0]);
    expect(limits.countCallInRanges(at(4), 'a', 2)).toBe(60);
    expect(limits.remainderOf(at(4), 'a', 2).left).toBe(2);
  });
});

describe('The memory of limits', () => {
  it('is bounded, and keeps the count of a key that is in use', () => {
    const limits = limitsAt({ now: 0 }, 1_000);
    let allowed = 0;

    for (let n = 0; n < 10_000; n += 1) {
      limits.countCall(`made up ${n}`, 1);
      if (n % 100 === 0 && limits.countCall('persistent', 5) === 0) allowed += 1;
    }

    expect([limits.size, allowed]).toEqual([1_000, 5]);
  });
});
