import { describe, expect, it } from '@jest/globals';
import {
  isTooLateToSend,
  requireTransferAuthorizationValidity,
  requireAuthorizedValue,
} from './authorization-rule.js';
import { findExceededSponsoringLimit } from './sponsoring-rule.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const SECONDS = BigInt(NOW.getTime() / 1_000);

function isAccepted(demand: () => void): boolean {
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
    [5n, 5n, true],
    [4n, 5n, false],
  ])(
    'is accepted from the minimum, or the remaining amount if that is less, to the remaining amount: %p with %p remaining: %p',
    (value, missing, taken) => {
      expect(isAccepted(() => requireAuthorizedValue(value, missing, { minimumAmount: 10n }))).toBe(taken);
    },
  );
});

describe('The validity of an authorization', () => {
  it.each([
    [SECONDS - 1n, SECONDS + 31n, 2, true],
    [SECONDS, SECONDS + 31n, 2, false],
    [SECONDS - 1n, SECONDS + 30n, 2, false],
    [SECONDS - 1n, SECONDS + 37n, 12, true],
    [SECONDS - 1n, SECONDS + 36n, 12, false],
  ])(
    'suffices only if it leaves time to send: after %p, before %p, with blocks of %p seconds: %p',
    (validAfter, validBefore, block, taken) => {
      expect(
        isAccepted(() => requireTransferAuthorizationValidity({ validAfter, validBefore }, NOW, block)),
      ).toBe(taken);
    },
  );

  it('rounds the current time up to the next second', () => {
    const begun = new Date(NOW.getTime() + 1);

    expect(isTooLateToSend({ validBefore: SECONDS + 31n }, begun, 2)).toBe(true);
    expect(isTooLateToSend({ validBefore: SECONDS + 32n }, begun, 2)).toBe(false);
  });
});

const LIMITS = { perPayment: 10n, perOrganizationAndDay: 20n, perDay: 30n };
const NO_COSTS = { ofPayment: 0n, ofOrganizationToday: 0n, today: 0n };

describe('The limit that payments by signature exceed', () => {
  it.each([
    [NO_COSTS, 10n, null],
    [NO_COSTS, 11n, 'per_payment'],
    [{ ...NO_COSTS, ofPayment: 4n }, 7n, 'per_payment'],
    [{ ...NO_COSTS, ofOrganizationToday: 10n }, 10n, null],
    [{ ...NO_COSTS, ofOrganizationToday: 11n }, 10n, 'per_organization_and_day'],
    [{ ...NO_COSTS, today: 20n }, 10n, null],
    [{ ...NO_COSTS, today: 21n }, 10n, 'per_day'],
  ] as const)(
    'depends on earlier costs and a further one: after %j and a cost of %s: %s',
    (sponsored, cost, limit) => {
      expect(findExceededSponsoringLimit(LIMITS, sponsored, cost)).toBe(limit);
    },
  );
});
