import { beforeEach, describe, expect, it } from '@jest/globals';
import { GrowingPauses } from './growing-pauses.js';

const EVER_FOREIGN = 'endpoint 1 (a)';
const OTHER = 'endpoint 2 (b)';

let rests: GrowingPauses;
beforeEach(() => {
  rests = new GrowingPauses();
});

/** @returns for each of this many cycles whether the endpoint, which always serves another chain, was queried */
function asked(turns: number): boolean[] {
  return Array.from({ length: turns }, () => {
    const resting = rests.next();
    if (!resting.has(EVER_FOREIGN)) rests.found([EVER_FOREIGN], resting);
    else rests.found([], resting);
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
    while (rests.next().has(EVER_FOREIGN));
    rests.found([], new Set());

    expect([...rests.next()]).toEqual([]);
    expect(asked(4)).toEqual([true, false, true, false]);
  });

  it('pauses only that endpoint, and remembers endpoints that were not checked', () => {
    rests.found([EVER_FOREIGN], new Set());
    const resting = rests.next();
    rests.found([OTHER], resting);

    expect([...resting]).toEqual([EVER_FOREIGN]);
    expect([...rests.next()]).toEqual([OTHER]);
    rests.found([EVER_FOREIGN], new Set([OTHER]));
    expect([1, 2, 3, 4].map(() => rests.next().has(EVER_FOREIGN))).toEqual([true, true, true, false]);
  });
});
