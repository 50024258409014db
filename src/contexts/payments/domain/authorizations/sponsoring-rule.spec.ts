import { describe, expect, it } from '@jest/globals';
import { exceededLimit } from './sponsoring-rule.js';

const LIMITS = { perPayment: 10n, perOrganizationAndDay: 20n, perDay: 30n };
const NOTHING = { ofPayment: 0n, ofOrganizationToday: 0n, today: 0n };

describe('The limits of payments by signature', () => {
  it.each([
    [NOTHING, 10n, null],
    [NOTHING, 11n, 'per_payment'],
    [{ ...NOTHING, ofPayment: 4n }, 7n, 'per_payment'],
    [{ ...NOTHING, ofOrganizationToday: 10n }, 10n, null],
    [{ ...NOTHING, ofOrganizationToday: 11n }, 10n, 'per_organization_and_day'],
    [{ ...NOTHING, today: 20n }, 10n, null],
    [{ ...NOTHING, today: 21n }, 10n, 'per_day'],
  ] as const)('after %j let %s be spent: %s', (sponsored, cost, limit) => {
    expect(exceededLimit(LIMITS, sponsored, cost)).toBe(limit);
  });
});
