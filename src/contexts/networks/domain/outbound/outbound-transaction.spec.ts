import { describe, expect, it } from '@jest/globals';
import {
  OUTBOUND_STATES,
  isFinishedOutboundState,
  isOutboundTransitionAllowed,
  endStateOf,
} from './outbound-transaction.js';

const ends = ['final', 'reverted', 'foreign', 'cancelled'];

describe('The state of a sending', () => {
  it('changes only by the allowed transitions', () => {
    const edges = OUTBOUND_STATES.flatMap((from) =>
      OUTBOUND_STATES.filter((to) => isOutboundTransitionAllowed(from, to)).map((to) => `${from} → ${to}`),
    );

    expect(edges.sort()).toEqual(
      [
        'reserved → reserved',
        'reserved → signed',
        'reserved → cancelled',
        'reserved → foreign',
        'signed → signed',
        'signed → broadcast',
        ...['broadcast', 'signed', 'mined', ...ends].map((to) => `broadcast → ${to}`),
        ...['mined', 'broadcast', 'signed', ...ends].map((to) => `mined → ${to}`),
      ].sort(),
    );
  });

  it('ends in final, reverted, foreign or cancelled', () => {
    expect(OUTBOUND_STATES.filter(isFinishedOutboundState)).toEqual(ends);
  });
});

const receipt = { hash: '0x02', blockNumber: 7, succeeded: true, gasCost: 21_000n };
const without = { ...receipt, succeeded: false };

describe('The state that follows from a receipt', () => {
  it.each([
    ['of its call, in a block that is not final', receipt, false, [], 'mined', receipt],
    ['of its call', receipt, true, ['0x01'], 'final', receipt],
    ['of its call, which failed', without, true, [], 'reverted', without],
    ['of an attempt that cancels, in a block that is not final', receipt, false, ['0x02'], 'mined', without],
    ['of an attempt that cancels', receipt, true, ['0x01', '0x02'], 'cancelled', without],
  ] as const)(
    'depends on call and finality: the receipt %s',
    (_, shown, isFinal, cancelling, state, mined) => {
      expect(endStateOf(shown, isFinal, cancelling)).toEqual({ state, mined });
    },
  );
});
