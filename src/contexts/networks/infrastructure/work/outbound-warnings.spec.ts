import { describe, expect, it } from '@jest/globals';
import { OutboundWarnings } from './outbound-warnings.js';

describe('The warning of a stuck transaction', () => {
  it('is due after a minute, and again each time that the age doubles', () => {
    const warnings = new OutboundWarnings();
    const ages = [1, 30, 59, 60, 61, 100, 120, 121, 200, 240, 500];

    expect(ages.filter((age) => warnings.isDue('one', 'broadcast', age, false))).toEqual([60, 120, 240, 500]);
  });

  it('is due immediately if only a person can help', () => {
    const warnings = new OutboundWarnings();
    const ages = [0, 5, 59, 60, 120];

    expect(ages.filter((age) => warnings.isDue('one', 'reserved key_missing', age, true))).toEqual([
      0, 60, 120,
    ]);
  });

  it('is due again in another state', () => {
    const warnings = new OutboundWarnings();
    warnings.isDue('one', 'broadcast', 600, false);

    expect(warnings.isDue('one', 'broadcast', 601, false)).toBe(false);
    expect(warnings.isDue('one', 'mined', 602, false)).toBe(true);
    expect(warnings.isDue('other', 'mined', 603, false)).toBe(true);
  });
});

describe('The check of balances', () => {
  it('is due once an hour for each network', () => {
    const warnings = new OutboundWarnings();
    const times = [0, 1, 3_599_999, 3_600_000, 3_600_001];

    expect(times.filter((now) => warnings.isBalanceLogDue('erc20', now))).toEqual([0, 3_600_000]);
    expect(warnings.isBalanceLogDue('polygon', 5)).toBe(true);
  });

  it('is due again in ten seconds if no endpoint responded', () => {
    const warnings = new OutboundWarnings();
    warnings.isBalanceLogDue('erc20', 0);
    warnings.retryBalanceLogSoon('erc20', 0);

    const times = [9_999, 10_000, 10_001];
    expect(times.filter((now) => warnings.isBalanceLogDue('erc20', now))).toEqual([10_000]);
  });
});
