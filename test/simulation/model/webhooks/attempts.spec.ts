import { describe, expect, it } from '@jest/globals';
import { Attempts } from './attempts.js';

describe('The simulation’s model of delivery attempts', () => {
  it.each([
    ['the first wait', false, 5],
    [
      'the third wait where connections break, since two attempts may not have reached the receiver',
      true,
      120,
    ],
  ])('expects the next attempt after a failed one in time: within %s', (_, isFaulty, seconds) => {
    const attempts = new Attempts();
    attempts.add(0, 500, isFaulty, false);
    const latest = seconds * 1_200 + 180_000;

    expect([latest, latest + 1].map((now) => attempts.isOverdue(now))).toEqual([false, true]);
  });
});
