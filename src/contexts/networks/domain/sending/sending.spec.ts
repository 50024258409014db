import { describe, expect, it } from '@jest/globals';
import { SENDING_STATES, isFinished, mayBecome } from './sending.js';

const ends = ['final', 'reverted', 'foreign', 'cancelled'];

describe('The states of a sending', () => {
  it('change along these edges and no others', () => {
    const edges = SENDING_STATES.flatMap((from) =>
      SENDING_STATES.filter((to) => mayBecome(from, to)).map((to) => `${from} → ${to}`),
    );

    expect(edges.sort()).toEqual(
      [
        'reserved → reserved',
        'reserved → signed',
        'reserved → foreign',
        'signed → signed',
        'signed → broadcast',
        ...['broadcast', 'signed', 'mined', ...ends].map((to) => `broadcast → ${to}`),
        ...['mined', 'broadcast', 'signed', ...ends].map((to) => `mined → ${to}`),
      ].sort(),
    );
  });

  it('end in final, reverted, foreign or cancelled', () => {
    expect(SENDING_STATES.filter(isFinished)).toEqual(ends);
  });
});
