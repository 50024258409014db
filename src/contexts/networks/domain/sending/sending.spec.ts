import { describe, expect, it } from '@jest/globals';
import { forEachSeed } from '../../../../shared/kernel/testing/seeded-random.js';
import { nextNonce } from './next-nonce.js';
import { type AttemptSighting, nonceFate } from './nonce-fate.js';
import { isOver, mayBecome, type SendingState } from './sending-state.js';
import { bumpedFees, marketFees } from './transaction-fees.js';

const STATES: readonly SendingState[] = [
  ...(['reserved', 'signed', 'broadcast', 'mined', 'final', 'reverted', 'foreign'] as const),
];

describe('The state of a call that is sent', () => {
  it('changes in these ways alone', () => {
    const ways = STATES.flatMap((from) =>
      STATES.filter((to) => mayBecome(from, to)).map((to) => `${from} → ${to}`),
    );

    expect(ways).toEqual([
      ...['reserved → signed', 'reserved → foreign'],
      ...['signed → broadcast', 'signed → mined', 'signed → foreign'],
      ...['broadcast → mined', 'broadcast → foreign'],
      ...['mined → broadcast', 'mined → final', 'mined → reverted'],
    ]);
  });

  it('is over where its nonce is used for good', () => {
    expect(STATES.filter(isOver)).toEqual(['final', 'reverted', 'foreign']);
  });
});

describe('The next nonce', () => {
  it.each([
    ['of a new account is zero', 0, null, 0],
    ['follows the chain where nothing of ours is stored', 7, null, 7],
    ['follows what is stored while it is not mined', 7, 9, 10],
    ['follows the chain where the key was used elsewhere', 12, 9, 12],
    ['follows the chain once all of ours is mined', 10, 9, 10],
  ])('%s', (_, latest, highestOwn, next) => {
    expect(nextNonce(latest, highestOwn)).toBe(next);
  });
});

describe('Fees', () => {
  const bounds = { floor: 2n, ceiling: 500n };

  it('are twice the base fee and the priority fee, within the bounds', () => {
    expect(marketFees({ baseFee: 100n, priorityFee: 5n }, bounds)).toEqual({ maxFee: 205n, priorityFee: 5n });
    expect(marketFees({ baseFee: 100n, priorityFee: 0n }, bounds)).toEqual({ maxFee: 202n, priorityFee: 2n });
    expect(marketFees({ baseFee: 400n, priorityFee: 5n }, bounds)).toEqual({ maxFee: 500n, priorityFee: 5n });
    expect(marketFees({ baseFee: 1n, priorityFee: 900n }, bounds)).toEqual({
      maxFee: 500n,
      priorityFee: 500n,
    });
  });

  it('of a replacement rise by a tenth in both parts, though the market asks for less', () => {
    const quiet = { baseFee: 1n, priorityFee: 0n };

    expect(bumpedFees({ maxFee: 205n, priorityFee: 5n }, quiet, bounds)).toEqual({
      maxFee: 226n,
      priorityFee: 6n,
    });
    expect(bumpedFees({ maxFee: 9n, priorityFee: 0n }, quiet, bounds)).toEqual({
      maxFee: 10n,
      priorityFee: 2n,
    });
  });

  it('of a replacement follow a market that asks for more', () => {
    const busy = { baseFee: 200n, priorityFee: 50n };

    expect(bumpedFees({ maxFee: 205n, priorityFee: 5n }, busy, bounds)).toEqual({
      maxFee: 450n,
      priorityFee: 50n,
    });
  });

  it('are not raised where the ceiling leaves less than the least step', () => {
    const waiting = { maxFee: 455n, priorityFee: 5n };

    expect(bumpedFees(waiting, { baseFee: 900n, priorityFee: 5n }, bounds)).toBeNull();
    expect(bumpedFees({ ...waiting, maxFee: 454n }, { baseFee: 900n, priorityFee: 5n }, bounds)).toEqual({
      ...{ maxFee: 500n, priorityFee: 6n },
    });
  });

  it('are always such that nodes replace by them, below the ceiling, and no more than is offered in all', () => {
    forEachSeed(500, (random) => {
      const drawn = { floor: BigInt(random.whole(0, 50)), ceiling: BigInt(random.whole(60, 5_000)) };
      const market = () => ({
        baseFee: BigInt(random.whole(0, 3_000)),
        priorityFee: BigInt(random.whole(0, 300)),
      });
      let fees = marketFees(market(), drawn);

      for (
        let next = bumpedFees(fees, market(), drawn);
        next !== null;
        next = bumpedFees(fees, market(), drawn)
      ) {
        expect(next.maxFee * 100n >= fees.maxFee * 110n && next.maxFee > fees.maxFee).toBe(true);
        expect(next.priorityFee * 100n >= fees.priorityFee * 110n).toBe(true);
        expect(next.priorityFee > fees.priorityFee && next.priorityFee <= next.maxFee).toBe(true);
        expect(next.maxFee <= drawn.ceiling).toBe(true);
        fees = next;
      }
    });
  });
});

describe('The fate of nonce 7', () => {
  const none: AttemptSighting = { kind: 'not_mined' };
  const silent: AttemptSighting = { kind: 'unanswered' };
  const mined = (isFinal: boolean, succeeded = true, blockHash = '0xb1'): AttemptSighting => ({
    ...{ kind: 'mined', blockHash, isFinal, succeeded },
  });

  it.each<[string, AttemptSighting[][], (number | null)[], object]>([
    ['is open while no final block has used it', [[none, none]], [7, 7], { kind: 'waiting' }],
    ['is open while one endpoint is behind', [[none, none]], [8, 7], { kind: 'waiting' }],
    [
      'is with the attempt that stands in a block',
      [[none], [mined(false)]],
      [7],
      { kind: 'mined', attempt: 1 },
    ],
    ['is final with that block', [[mined(true)], [none]], [8], { kind: 'final', attempt: 0 }],
    [
      'is reverted where the call failed there',
      [[mined(true, false)]],
      [8],
      { kind: 'reverted', attempt: 0 },
    ],
    [
      'is final though another endpoint is silent',
      [[mined(true), silent]],
      [8, null],
      { kind: 'final', attempt: 0 },
    ],
    [
      'is final though another endpoint is behind',
      [[mined(true), mined(false)]],
      [8, 7],
      { kind: 'final', attempt: 0 },
    ],
    [
      'is foreign once it is used for good and all look-ups answered',
      [
        [none, none],
        [none, none],
      ],
      [8, 9],
      { kind: 'foreign' },
    ],
    ['is foreign before anything was signed', [], [8], { kind: 'foreign' }],
    [
      'is unknown while one attempt was not looked up everywhere',
      [[none, silent]],
      [8, 8],
      { kind: 'unknown' },
    ],
    ['is unknown while one endpoint does not count', [[none, none]], [8, null], { kind: 'unknown' }],
    [
      'is unknown where one endpoint was not asked about an attempt',
      [[none, none], [none]],
      [8, 8],
      { kind: 'unknown' },
    ],
    ['is unknown where nobody was asked', [[]], [], { kind: 'unknown' }],
    [
      'is unknown where final blocks differ',
      [[mined(true), mined(true, true, '0xb2')]],
      [8, 8],
      { kind: 'unknown' },
    ],
    [
      'is unknown where its outcome differs',
      [[mined(true), mined(true, false)]],
      [8, 8],
      { kind: 'unknown' },
    ],
    ['is unknown where two attempts are final', [[mined(true)], [mined(true)]], [8], { kind: 'unknown' }],
  ])('%s', (_, sightings, finalCounts, fate) => {
    expect(nonceFate(7, sightings, finalCounts)).toEqual(fate);
  });
});
