import { describe, expect, it } from '@jest/globals';
import { CheckFloats } from './check-floats.js';

const CYCLES_PER_MINUTE = 30;

describe('The pace at which refund floats are checked', () => {
  it('is a check in each cycle for five minutes after a change, and then one in two minutes', () => {
    const floats = new CheckFloats(...([] as unknown as ConstructorParameters<typeof CheckFloats>));
    const checksIn = (minutes: number) =>
      Array.from({ length: minutes * CYCLES_PER_MINUTE }, () => floats.isDue('base')).filter(Boolean).length;

    expect([checksIn(5), checksIn(60)]).toEqual([5 * CYCLES_PER_MINUTE, 30]);
    floats.expectBalanceChange('base');
    expect(checksIn(5)).toBe(5 * CYCLES_PER_MINUTE);
  });
});
