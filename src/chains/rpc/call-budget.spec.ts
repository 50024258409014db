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
  it('sends the calls of a second together and the others as the second passes', async () => {
    const { sent, take } = spending();
    for (let n = 0; n < 13; n += 1) take(`${n}`);

    const counts: number[] = [];
    for (const wait of [0, 99, 1, 100, 1_000]) {
      await jest.advanceTimersByTimeAsync(wait);
      counts.push(sent.length);
    }

    expect(counts).toEqual([10, 10, 11, 12, 13]);
  });

  it('sends the most urgent waiting calls first, and calls of one purpose in order', async () => {
    const { sent, take } = spending();
    take('all', 10);
    take('sending', 1, 'sending');
    take('check', 1, 'check');
    take('confirmation', 1, 'confirmation');
    take('reading', 1, 'reading');
    take('reading after it', 1, 'reading');

    await jest.advanceTimersByTimeAsync(500);

    expect(sent).toEqual(['all', 'reading', 'reading after it', 'confirmation', 'sending', 'check']);
  });

  it('sends a check in time although new blocks always wait', async () => {
    const { sent, take } = spending();
    take('all', 10);
    take('check', 1, 'check');
    for (let n = 0; n < 20; n += 1) take(`block ${n}`);

    await jest.advanceTimersByTimeAsync(500);

    expect(sent.slice(0, 5)).toEqual(['all', 'block 0', 'block 1', 'block 2', 'check']);
  });

  it('sends a batch that exceeds the remaining calls, and delays later calls until they are earned back', async () => {
    const { sent, take } = spending();
    take('batch', 15);
    take('next');

    await jest.advanceTimersByTimeAsync(599);
    const before = [...sent];
    await jest.advanceTimersByTimeAsync(1);

    expect([before, sent]).toEqual([['batch'], ['batch', 'next']]);
  });
});
