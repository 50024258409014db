import { beforeEach, describe, expect, it } from '@jest/globals';
import { RecheckBackoff } from './recheck-backoff.js';

const EVER_FOREIGN = 'endpoint 1 (a)';
const OTHER = 'endpoint 2 (b)';

let rests: RecheckBackoff;
beforeEach(() => {
  rests = new RecheckBackoff();
});

/** @returns for each of this many cycles whether the endpoint, which always serves another chain, was queried */
function asked(turns: number): boolean[] {
  return Array.from({ length: turns }, () => {
    const resting = rests.namesToSkip();
    if (!resting.has(EVER_FOREIGN)) rests.recordFaulty([EVER_FOREIGN], resting);
    else rests.recordFaulty([], resting);
    return !resting.has(EVER_FOREIGN);
  });
}

describe('The check of endpoints that serve another chain', () => {
  it('queries an endpoint that stays foreign ever more rarely, and at least every twentieth time', () => {
    const turns = asked(100).flatMap((isAsked, turn) => (isAsked ? [turn] : []));

    expect(turns).toEqual([0, 2, 6, 14, 30, 50, 70, 90]);
  });

  it('checks a recovered endpoint every time, and starts over if it is foreign again', () => {
    asked(31);
    while (rests.namesToSkip().has(EVER_FOREIGN));
    rests.recordFaulty([], new Set());

    expect([...rests.namesToSkip()]).toEqual([]);
    expect(asked(4)).toEqual([true, false, true, false]);
  });

  it('pauses only that endpoint, and remembers endpoints that were not checked', () => {
    rests.recordFaulty([EVER_FOREIGN], new Set());
    const resting = rests.namesToSkip();
    rests.recordFaulty([OTHER], resting);

    expect([...resting]).toEqual([EVER_FOREIGN]);
    expect([...rests.namesToSkip()]).toEqual([OTHER]);
    rests.recordFaulty([EVER_FOREIGN], new Set([OTHER]));
    expect([1, 2, 3, 4].map(() => rests.namesToSkip().has(EVER_FOREIGN))).toEqual([true, true, true, false]);
  });
});
