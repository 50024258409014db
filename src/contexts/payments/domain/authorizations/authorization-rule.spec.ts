import { describe, expect, it } from '@jest/globals';
import { isTooLateToSend, requireValidity, requireValue } from './authorization-rule.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const SECONDS = BigInt(NOW.getTime() / 1_000);

function isTaken(demand: () => void): boolean {
  try {
    demand();
    return true;
  } catch {
    return false;
  }
}

describe('The value of an authorization', () => {
  it.each([
    [100n, 100n, true],
    [101n, 100n, false],
    [10n, 100n, true],
    [9n, 100n, false],
    [7n, 7n, true],
    [6n, 7n, false],
  ])('%p of a missing %p is accepted: %p', (value, missing, taken) => {
    expect(isTaken(() => requireValue(value, missing, { minimumAmount: 10n }))).toBe(taken);
  });
});

describe('The validity of an authorization', () => {
  it.each([
    [SECONDS - 1n, SECONDS + 31n, 2, true],
    [SECONDS, SECONDS + 31n, 2, false],
    [SECONDS - 1n, SECONDS + 30n, 2, false],
    [SECONDS - 1n, SECONDS + 37n, 12, true],
    [SECONDS - 1n, SECONDS + 36n, 12, false],
  ])(
    'from %p to %p, both excluded, with blocks of %p seconds: %p',
    (validAfter, validBefore, block, taken) => {
      expect(isTaken(() => requireValidity({ validAfter, validBefore }, NOW, block))).toBe(taken);
    },
  );

  it('counts the second that has begun', () => {
    const begun = new Date(NOW.getTime() + 1);

    expect(isTooLateToSend({ validBefore: SECONDS + 31n }, begun, 2)).toBe(true);
    expect(isTooLateToSend({ validBefore: SECONDS + 32n }, begun, 2)).toBe(false);
  });
});
