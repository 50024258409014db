import { describe, expect, it } from '@jest/globals';
import { EndpointFailure } from './rpc-failures.js';
import { EndpointHealth } from './endpoint-health.js';
import { bestEndpoint, highestEndpoint, type EndpointWithHealth } from './ranked-endpoints.js';

const DAY_MS = 86_400_000;

/** Pauses without randomization: 1 s after the first failure, doubled after each further one. */
const health = () => new EndpointHealth(true, [1_000, 60_000], () => 1, 0);
const broken = new EndpointFailure('base', 'it is broken.', 'malformed');
const limited = (retryAfterMs: number | null) =>
  new EndpointFailure('base', 'too many calls.', 'rate_limited', retryAfterMs);

describe('The health of an endpoint', () => {
  it('forgets failures after four pauses, and not earlier', () => {
    const pauseAfter = (quietMs: number) => {
      const one = health();
      one.recordFailure(0, broken);
      one.recordAnswer(quietMs);
      one.recordFailure(quietMs, broken);
      return one.due - quietMs;
    };

    expect([pauseAfter(4_000), pauseAfter(4_001)]).toEqual([2_000, 1_000]);
  });
  it('doubles the pause after each failure, up to the cap', () => {
    const one = health();
    let now = 0;
    const pauses = Array.from({ length: 8 }, () => {
      const failed = now;
      one.recordFailure(failed, broken);
      now = one.due;
      one.recordAnswer(now);
      return now - failed;
    });

    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('waits as long as the rate limit requires, at most five minutes, and never shortens a wait', () => {
    const one = health();
    one.recordFailure(0, limited(DAY_MS));
    const longest = one.due;
    one.recordFailure(10, limited(20));

    expect([longest, one.due]).toEqual([300_000, 300_000]);
    expect(one.isUsed).toBe(true);
    for (const failure of [broken, limited(20)]) one.recordFailure(20, failure);
    expect(one.isUsed).toBe(false);
  });

  it('is unavailable three seconds after its first failure', () => {
    const one = health();
    one.recordFailure(0, broken);
    one.recordFailure(2_000, broken);
    one.recordContentsServed(2_500);

    expect([one.isUnavailableForLong(2_999), one.isUnavailableForLong(3_000)]).toEqual([false, true]);
    one.recordAnswer(302_000);
    expect(one.isUnavailableForLong(302_000)).toBe(true);
    one.recordAnswer(302_001);
    expect(one.isUnavailableForLong(302_001)).toBe(false);
    for (const at of [310_000, 312_000]) one.recordFailure(at, broken);
    one.recordContentsServed(one.due);
    expect(one.isUnavailableForLong(one.due)).toBe(false);
  });

  it('allows for no new block for as long as the family of the chain says', () => {
    const health = new EndpointHealth(true, [1, 1], () => 0, 0, 3_600_000);

    health.recordHead(0, 5, 9);

    expect([3_600_000, 3_600_001].map((now) => health.isHeadAdvancing(now))).toEqual([true, false]);
  });
});

describe('The best endpoint', () => {
  const ranked = (name: string, one: EndpointHealth): EndpointWithHealth => ({
    endpoint: { network: 'base', url: `http://${name}` } as never,
    health: one,
  });

  it('is the first configured endpoint among those with the highest block', () => {
    const endpoints = ['a', 'b', 'c'].map((name, n) => {
      const one = health();
      one.recordHead(0, n === 0 ? 6 : 7, 7);
      return ranked(name, one);
    });

    expect(highestEndpoint(endpoints)).toBe(endpoints[1]);
  });

  it('is the endpoint that has waited longest if all have failed', () => {
    const [early, late] = [health(), health()];
    early.recordFailure(-DAY_MS, broken);
    late.recordFailure(-DAY_MS + 5_000, broken);
    const endpoints = [ranked('late', late), ranked('early', early)];

    expect(bestEndpoint('base', endpoints)).toBe(endpoints[1]);
  });
});
