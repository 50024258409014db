import { describe, expect, it } from '@jest/globals';
import { LowPriorityCallLimiter } from './low-priority-call-limiter.js';

const waits = (calls: LowPriorityCallLimiter, now: number, count: number) =>
  Array.from({ length: count }, () => calls.reserveSlot(now));

describe('A call to an endpoint besides reading', () => {
  it('waits for its turn once the endpoint has limited calls, and gives up if that is far off', () => {
    const calls = new LowPriorityCallLimiter();
    calls.recordRateLimit(1_000, null);

    expect(waits(calls, 1_000, 8)).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000, null, null]);
    expect(waits(calls, 3_500, 2)).toEqual([3_500, 4_500]);
  });

  it('waits for the pause that the endpoint requested', () => {
    const calls = new LowPriorityCallLimiter();
    calls.recordRateLimit(0, 4_000);
    expect(calls.reserveSlot(0)).toBe(4_000);

    calls.recordRateLimit(0, 600_000);
    expect(calls.reserveSlot(500_000)).toBeNull();
    expect(calls.reserveSlot(600_000)).toBe(0);
  });

  it('waits for no turn from a minute after the last limit on', () => {
    const calls = new LowPriorityCallLimiter();
    calls.recordRateLimit(0, null);
    calls.recordRateLimit(30_000, null);

    expect(waits(calls, 89_000, 2)).toEqual([0, 1_000]);
    expect(waits(calls, 91_000, 2)).toEqual([0, 0]);
  });
});
