import { describe, expect, it } from '@jest/globals';
import { SENDING_STATES, isFinished, mayBecome } from './sending.js';

describe('The states of a sending', () => {
  it('change along these edges and no others', () => {
    const edges = SENDING_STATES.flatMap((from) =>
      SENDING_STATES.filter((to) => mayBecome(from, to)).map((to) => `${from} → ${to}`),
    );

    expect(edges.sort()).toEqual(
      [
        'reserved → signed',
        'signed → signed',
        'signed → broadcast',
        ...['broadcast', 'signed', 'mined', 'final', 'reverted', 'foreign'].map((to) => `broadcast → ${to}`),
        ...['mined', 'broadcast', 'signed', 'final', 'reverted', 'foreign'].map((to) => `mined → ${to}`),
      ].sort(),
    );
  });

  it('end in final, reverted or foreign', () => {
    expect(SENDING_STATES.filter(isFinished)).toEqual(['final', 'reverted', 'foreign']);
  });
});
