import { describe, expect, it } from '@jest/globals';
import { isApprovedByLimit } from './refund-approval-rule.js';
import { refuseAboveFloatAllotment, refuseAboveDayLimit } from './refund-limits.js';

const USDT = { uniqueAssetId: 'x', network: 'sandbox', token: '0x1', symbol: 'USDT', decimals: 6 };

describe('A refund within its limits', () => {
  it('is approved automatically below the amount of the limit only', () => {
    const limit = { automaticBelow: 5n };

    expect([4n, 5n].map((amount) => isApprovedByLimit(limit, amount))).toEqual([true, false]);
    expect(isApprovedByLimit(null, 0n)).toBe(false);
  });

  it('uses the allotment up to its last unit', () => {
    const allotment = { allotted: 15_000_000n, used: 9_000_000n };

    expect(() => refuseAboveFloatAllotment(allotment, 6_000_000n, USDT)).not.toThrow();
    expect(() => refuseAboveFloatAllotment(allotment, 6_000_001n, USDT)).toThrow('6 USDT of 15 USDT remain');
  });

  it('uses the day limit up to its last unit, and nothing after that limit is lowered', () => {
    const limit = { perDay: 15_000_000n };

    expect(() => refuseAboveDayLimit(limit, 9_000_000n, 6_000_000n, USDT)).not.toThrow();
    expect(() => refuseAboveDayLimit(limit, 9_000_000n, 6_000_001n, USDT)).toThrow('6 USDT remain');
    expect(() => refuseAboveDayLimit(limit, 20_000_000n, 1n, USDT)).toThrow('; 0 USDT remain');
  });
});
