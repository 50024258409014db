import { describe, expect, it } from '@jest/globals';
import type { DeliveryId } from '#shared/kernel/ids.js';
import { concludeAttempt } from './attempt.js';

const attempt = (number: number) => ({
  deliveryId: '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d70' as DeliveryId,
  number,
  startedAt: new Date('2026-11-21T08:00:00.000Z'),
  durationMs: 1_000,
});
const plan = (attempt: number, chance = 0.5) => ({ failuresBefore: attempt - 1, chance });
const ENDED_AT = Date.parse('2026-11-21T08:00:01.000Z');

describe('The result of an attempt', () => {
  it('is an acknowledgement for a complete response with HTTP 200', () => {
    const { status, nextAttemptAt, error } = concludeAttempt(attempt(1), { httpStatus: 200 }, plan(1));

    expect({ status, nextAttemptAt, error }).toEqual({ status: 'delivered' });
  });

  it.each([201, 204, 301, 410, 500])('is a failure for HTTP %i', (httpStatus) => {
    const concluded = concludeAttempt(attempt(1), { httpStatus }, plan(1));

    expect(concluded).toMatchObject({ status: 'pending', error: 'http_status', httpStatus });
  });

  it('is a failure for HTTP 200 with an incomplete response', () => {
    const concluded = concludeAttempt(attempt(1), { httpStatus: 200, error: 'response_too_large' }, plan(1));

    expect(concluded).toMatchObject({ status: 'pending', error: 'response_too_large' });
  });

  it('is a retry by the schedule, varied by a fifth, and a failure after the tenth attempt', () => {
    const delay = (number: number, random: number) => {
      const { nextAttemptAt } = concludeAttempt(attempt(number), { error: 'timeout' }, plan(number, random));
      return nextAttemptAt === undefined ? null : (nextAttemptAt.getTime() - ENDED_AT) / 1000;
    };
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

    expect(numbers.map((n) => delay(n, 0.5))).toEqual([
      5,
      30,
      120,
      600,
      1800,
      7200,
      21600,
      43200,
      86400,
      null,
    ]);
    expect(numbers.map((n) => delay(n, 0)).slice(0, 3)).toEqual([4, 24, 96]);
    expect(numbers.map((n) => delay(n, 1)).slice(0, 3)).toEqual([6, 36, 144]);
    expect(concludeAttempt(attempt(10), { error: 'timeout' }, plan(10)).status).toBe('failed');
  });
});
