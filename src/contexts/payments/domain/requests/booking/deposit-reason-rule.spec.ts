import { describe, expect, it } from '@jest/globals';
import {
  LAST_BLOCK,
  threeSelections,
  timeOf,
  transferTo,
} from '#contexts/payments/testing/requests/payment-request-builder.js';
import { depositReasonOf } from './deposit-reason-rule.js';

const [dollars, , others] = threeSelections([100n, 80n, 60n]);
const until = (selection: typeof dollars, second: number) => ({
  ...selection,
  countsUntil: timeOf(second),
});

describe('Why a transfer does not count', () => {
  it('names the last moment that counted, the latest where there are several', () => {
    const late = transferTo(dollars, 1n, LAST_BLOCK);
    const sameAddressTwice = [until(dollars, 1), until(dollars, 3), until(dollars, 2)];

    expect(depositReasonOf(late, sameAddressTwice)).toEqual({ reason: 'late', countsUntil: timeOf(3) });
  });

  it('is that it is another asset, whenever it came, where nothing was asked for on its network', () => {
    const late = transferTo(dollars, 1n, LAST_BLOCK);

    expect(depositReasonOf(late, [until(others, 1)])).toEqual({ reason: 'other_asset' });
    expect(depositReasonOf(late, [])).toEqual({ reason: 'other_asset' });
  });

  it('is that it is another asset, where it came to the same address under another tag', () => {
    const tagged = { ...dollars, depositAddress: { ...dollars.depositAddress, tag: '7' } };
    const arrived = transferTo(dollars, 1n, 5);

    expect(depositReasonOf({ ...arrived, toTag: '7' }, [until(tagged, 1_000_000)])).toEqual({
      reason: 'after_outcome',
    });
    expect(depositReasonOf({ ...arrived, toTag: '8' }, [until(tagged, 1_000_000)])).toEqual({
      reason: 'other_asset',
    });
    expect(depositReasonOf(arrived, [until(tagged, 1_000_000)])).toEqual({ reason: 'other_asset' });
  });
});
