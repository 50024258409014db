import { describe, expect, it } from '@jest/globals';
import { availableAmountIn, evaluateFloatBalance } from './refund-float.js';

const known = { toppedUp: 500n };
const MINIMUM = 100n;

describe('The balance of a refund float', () => {
  it.each([
    ['nothing received', 400n, { toppedUp: 0n, missing: 0n, balance: 400n }],
    ['less than the minimum', 499n, { toppedUp: 0n, missing: 0n, balance: 400n }],
    ['the minimum, in however many transfers', 500n, { toppedUp: 100n, missing: 0n, balance: 500n }],
    ['less than it must be', 399n, { toppedUp: 0n, missing: 1n, balance: 399n }],
  ])('shows what was topped up or is missing: %s', (_what, balance, found) => {
    // Payouts of 100 have left the float.
    expect(evaluateFloatBalance(known, balance, 100n, false, MINIMUM)).toEqual(found);
  });

  it('shows what is missing unless an unfinished payout may have left the float', () => {
    const missing = [400n, 399n].map(
      (balance) => evaluateFloatBalance(known, balance, 100n, true, MINIMUM).missing,
    );

    expect(missing).toEqual([0n, null]);
  });
});

describe('The available amount of a refund float', () => {
  it.each([
    [29n, 1n],
    [30n, 0n],
    [31n, 0n],
  ])('excludes all that has left it, is missing or is reserved: %d reserved', (reserved, available) => {
    const holding = { toppedUp: 100n, refunded: 20n, withdrawn: 15n, gas: 10n, missing: 25n, reserved };

    expect(availableAmountIn(holding as never)).toBe(available);
  });
});
