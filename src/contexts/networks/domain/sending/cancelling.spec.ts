import { describe, expect, it } from '@jest/globals';
import { endedBy } from './cancelling.js';

const receipt = { hash: '0x02', blockNumber: 7, succeeded: true, gasCost: 21_000n };
const without = { ...receipt, succeeded: false };

describe('What a receipt makes of a sending', () => {
  it.each([
    ['of its call, in a block that is not final', receipt, false, [], 'mined', receipt],
    ['of its call', receipt, true, ['0x01'], 'final', receipt],
    ['of its call, which failed', without, true, [], 'reverted', without],
    ['of an attempt that cancels, in a block that is not final', receipt, false, ['0x02'], 'mined', without],
    ['of an attempt that cancels', receipt, true, ['0x01', '0x02'], 'cancelled', without],
  ] as const)('%s', (_, shown, isFinal, cancelling, state, mined) => {
    expect(endedBy(shown, isFinal, cancelling)).toEqual({ state, mined });
  });
});
