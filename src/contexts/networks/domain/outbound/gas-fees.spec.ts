import { describe, expect, it } from '@jest/globals';
import {
  bumpedGasFees,
  expectedGasPrice,
  initialGasFees,
  gasLimitRefusal,
  gasPriceRefusal,
  nonceReservationRefusal,
  replacementGasFees,
  type GasFees,
} from './gas-fees.js';

const LIMITS_OF_ONE = { floor: 1n, ceiling: 1_000n };
const LIMITS = { floor: 10n, ceiling: 1_000n };

describe('The fee offer of a first attempt', () => {
  it('outlasts some full blocks, with the suggested priority fee', () => {
    expect(initialGasFees({ baseFee: 100n, suggested: 20n }, LIMITS)).toEqual({
      maxFee: 220n,
      priorityFee: 20n,
    });
  });

  it('offers one price if there is no base fee', () => {
    expect(initialGasFees({ baseFee: null, suggested: 50n }, LIMITS)).toEqual({
      maxFee: 50n,
      priorityFee: null,
    });
  });

  it('stays at or above the floor', () => {
    expect(initialGasFees({ baseFee: 100n, suggested: 0n }, LIMITS).priorityFee).toBe(10n);
    expect(initialGasFees({ baseFee: null, suggested: 3n }, LIMITS).maxFee).toBe(10n);
  });

  it('stays at or below the ceiling, whatever the market is', () => {
    expect(initialGasFees({ baseFee: 9_000n, suggested: 5_000n }, LIMITS)).toEqual({
      maxFee: 1_000n,
      priorityFee: 1_000n,
    });
    expect(initialGasFees({ baseFee: null, suggested: 5_000n }, LIMITS).maxFee).toBe(1_000n);
  });
});

describe('The expected price', () => {
  it.each([
    [{ baseFee: 100n, suggested: 20n }, 120n],
    [{ baseFee: null, suggested: 3n }, 10n],
    [{ baseFee: 9_000n, suggested: 1n }, 1_000n],
  ])('is the base fee and the tip, within the limits: %p', (market, price) => {
    expect(expectedGasPrice(market, LIMITS)).toBe(price);
  });
});

describe('The raised fee offer of a replacement', () => {
  /** The rule of every node: both parts rise by at least a tenth, rounded up, and by at least one unit. */
  const isAccepted = (last: GasFees, next: GasFees) =>
    next.maxFee * 10n >= last.maxFee * 11n &&
    next.maxFee > last.maxFee &&
    (last.priorityFee === null ||
      (next.priorityFee! * 10n >= last.priorityFee * 11n && next.priorityFee! > last.priorityFee));

  it.each([0n, 1n, 2n, 7n, 8n, 9n, 79n, 88n])(
    'is high enough for nodes to accept the replacement: after an offer of %s',
    (fee) => {
      const calm = { baseFee: fee + 51n, suggested: fee };
      const limits = { floor: 0n, ceiling: 10n ** 12n };
      for (const last of [
        { maxFee: fee, priorityFee: fee },
        { maxFee: fee + 50n, priorityFee: fee },
        { maxFee: fee, priorityFee: null },
      ]) {
        const next = bumpedGasFees(last, calm, limits)!;
        expect([isAccepted(last, next), (next.priorityFee ?? 0n) <= next.maxFee]).toEqual([true, true]);
      }
    },
  );

  it.each([
    ['it offers the base fee and the suggested tip', { baseFee: 90n, suggested: 10n }],
    ['the market has fallen', { baseFee: 1n, suggested: 1n }],
    ['nodes suggest one price, as without a base fee', { baseFee: null, suggested: 100n }],
  ])('is not made if the last offer suffices: %s', (_, market) => {
    expect(bumpedGasFees({ maxFee: 100n, priorityFee: 10n }, market, LIMITS)).toBeNull();
  });

  it.each([
    ['what it offers in all', { baseFee: 91n, suggested: 10n }],
    ['its tip', { baseFee: 10n, suggested: 11n }],
  ])('is made if the market is above the last offer: above %s', (_, market) => {
    expect(bumpedGasFees({ maxFee: 100n, priorityFee: 10n }, market, LIMITS)).not.toBeNull();
  });

  it('allows a tip of up to three times the suggested tip', () => {
    const market = { baseFee: 100n, suggested: 3n };

    expect(bumpedGasFees({ maxFee: 20n, priorityFee: 8n }, market, LIMITS_OF_ONE)?.priorityFee).toBe(9n);
    expect(bumpedGasFees({ maxFee: 20n, priorityFee: 9n }, market, LIMITS_OF_ONE)).toBeNull();
  });

  it('ends at the ceiling, and is not made if the least step is above it', () => {
    const market = { baseFee: 5_000n, suggested: 10n };
    expect(bumpedGasFees({ maxFee: 880n, priorityFee: 10n }, market, LIMITS)?.maxFee).toBe(1_000n);
    expect(bumpedGasFees({ maxFee: 900n, priorityFee: 10n }, market, LIMITS)).toBeNull();
  });
});

const LOW = { floor: 1n, ceiling: 10n };

describe('A call that nodes accept', () => {
  it.each([
    ['as much gas as a block holds', 100n, 100n, null],
    ['more', 101n, 100n, /101 gas, but nodes accept at most 100 gas/],
    ['as much as EIP-7825 lets a transaction have', 2n ** 24n, 2n ** 26n, null],
    ['more than that in a larger block', 2n ** 24n + 1n, 2n ** 26n, /at most 16777216 gas/],
  ])('has a gas limit that a block and EIP-7825 allow: %s', (_, gas, block, says) => {
    const refusal = gasLimitRefusal(gas, block);

    if (says === null) expect(refusal).toBeNull();
    else expect(refusal?.message).toMatch(says);
  });

  it.each([
    ['the base fee and the least priority fee', { baseFee: 9n, suggested: 99n }, null],
    ['a base fee that leaves no room for it', { baseFee: 10n, suggested: 0n }, /require 11 wei.* at most 10/],
    ['the one price there is', { baseFee: null, suggested: 10n }, null],
    ['a higher one', { baseFee: null, suggested: 11n }, /require 11 wei/],
  ])('costs at most the ceiling of fees: %s', (_, market, says) => {
    const refusal = gasPriceRefusal(market, LOW);

    if (says === null) expect(refusal).toBeNull();
    else expect(refusal?.message).toMatch(says);
  });
});

describe('The ceiling of fees', () => {
  it('allows a first offer at the ceiling, and none above it', () => {
    const market = { baseFee: 4n, suggested: 2n };

    expect(nonceReservationRefusal(market, LOW)).toBeNull();
    expect(nonceReservationRefusal(market, { ...LOW, ceiling: 9n })?.message).toContain(
      'The first offer would be 10 wei',
    );
  });

  it('allows a replacement at the ceiling, and none above it', () => {
    const last = { maxFee: 8n, priorityFee: 1n };
    const market = { baseFee: 1n, suggested: 1n };

    expect(replacementGasFees(last, market, { ...LOW, ceiling: 9n })).toEqual({
      maxFee: 9n,
      priorityFee: 2n,
    });
    expect(replacementGasFees(last, market, { ...LOW, ceiling: 8n })).toBeNull();
  });
});
