import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { findTimeStep, newTotpSecret, totpCodeAt } from './one-time-codes.js';

const NOW = 64_000_000;
const STEP = Math.floor(NOW / 30_000);

describe('A one-time code', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('is accepted in its own time step and in the next and the previous one', () => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW);
    const secret = newTotpSecret();
    const steps = [-2, -1, 0, 1, 2].map((step) =>
      findTimeStep(secret, totpCodeAt(secret, NOW + step * 30_000)),
    );

    expect(steps).toEqual([null, STEP - 1, STEP, STEP + 1, null]);
    expect(findTimeStep(newTotpSecret(), totpCodeAt(secret, NOW))).toBeNull();
  });
});
