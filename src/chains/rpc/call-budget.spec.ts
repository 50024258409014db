import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CallBudget } from './call-budget.js';
import type { CallPurpose } from './call-purpose.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Takes calls from a budget of 10 a second. @returns what was sent until now */
function spending() {
  const budget = new CallBudget(10);
  const sent: string[] = [];
  const take = (name: string, calls = 1, purpose: CallPurpose = 'reading') =>
    void budget.acquire(calls, purpose).then(() => sent.push(name));
  return { sent, take };
}

describe('A budget of calls', () => {
  it('sends no more calls in any second', async () => {
    const { sent, take } = spending();
    for (let n = 0; n < 23; n += 1) take(`${n}`);

    const counts: number[] = [];
    for (const wait of [0, 999, 1, 1_000]) {
      await jest.advanceTimersByTimeAsync(wait);
      counts.push(sent.length);
    }

    expect(counts).toEqual([10, 10, 20, 23]);
  });

  it('sends the most urgent waiting calls first, and calls of one purpose in order', async () => {
    const { sent, take } = spending();
    take('all', 10);
    take('sending', 1, 'sending');
    take('check', 1, 'check');
    take('confirmation', 1, 'confirmation');
    take('reading', 1, 'reading');
    take('reading after it', 1, 'reading');

    await jest.advanceTimersByTimeAsync(1_000);

    expect(sent).toEqual(['all', 'reading', 'reading after it', 'confirmation', 'sending', 'check']);
  });

  it('sends a check in time although new blocks always wait', async () => {
    const { sent, take } = spending();
    take('all', 10);
    take('check', 1, 'check');
    for (let n = 0; n < 20; n += 1) take(`block ${n}`);

    await jest.advanceTimersByTimeAsync(1_000);

    expect(sent.slice(0, 5)).toEqual(['all', 'block 0', 'block 1', 'block 2', 'check']);
  });

  it('sends a batch that exceeds the limit alone', async () => {
    const { sent, take } = spending();
    take('one');
    take('batch', 15);
    take('next');

    const steps: string[][] = [];
    for (const wait of [999, 1, 999, 1]) {
      await jest.advanceTimersByTimeAsync(wait);
      steps.push([...sent]);
    }

    const [one, both, all] = [['one'], ['one', 'batch'], ['one', 'batch', 'next']];
    expect(steps).toEqual([one, both, both, all]);
  });
});

/** Sends calls through a budget that knows no limit, and lets the endpoint refuse the last one. */
async function refused(calls: number, retryAfterMs: number | null = null, setting?: number) {
  const budget = new CallBudget(setting);
  for (let n = 0; n < calls; n += 1) await budget.acquire(1, 'reading');
  budget.recordRefusal(retryAfterMs);
  return budget;
}

describe('A budget without a known limit', () => {
  it('sends half as many calls in a second as were refused, and at least one', async () => {
    expect(new CallBudget().perSecond).toBe(Infinity);
    expect((await refused(9)).perSecond).toBe(4);
    expect((await refused(1)).perSecond).toBe(1);
  });

  it('lowers the limit once for calls that were sent together', async () => {
    const budget = await refused(16);
    budget.recordRefusal(null);
    const atOnce = budget.perSecond;
    await jest.advanceTimersByTimeAsync(1_000);
    for (let n = 0; n < 8; n += 1) await budget.acquire(1, 'reading');
    budget.recordRefusal(null);

    expect([atOnce, budget.perSecond]).toEqual([8, 4]);
  });

  it('raises the limit by a quarter each half minute without a refusal, and forgets it above 100', async () => {
    const budget = await refused(9);
    await jest.advanceTimersByTimeAsync(29_999);
    const limits = [budget.perSecond];
    for (const wait of [1, 30_000, 14 * 30_000]) {
      await jest.advanceTimersByTimeAsync(wait);
      limits.push(budget.perSecond);
    }

    expect(limits).toEqual([4, 5, 7, Infinity]);
  });

  it('raises the limit up to the setting only', async () => {
    const budget = await refused(6, null, 6);
    const lowered = budget.perSecond;
    await jest.advanceTimersByTimeAsync(300_000);

    expect([lowered, budget.perSecond]).toEqual([3, 6]);
  });

  it('sends nothing during the pause that the endpoint requested', async () => {
    const budget = await refused(1, 2_000);
    await jest.advanceTimersByTimeAsync(1_000);
    budget.recordRefusal(500);
    let sent = false;
    void budget.acquire(1, 'reading').then(() => (sent = true));
    await jest.advanceTimersByTimeAsync(999);
    const before = [sent, budget.pauseMs];
    await jest.advanceTimersByTimeAsync(1);

    expect([before, sent]).toEqual([[false, 1], true]);
  });
});
