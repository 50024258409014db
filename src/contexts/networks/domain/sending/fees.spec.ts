import { describe, expect, it } from '@jest/globals';
import { forEachSeed } from '#shared/kernel/testing/seeded-random.js';
import { bumpedFees, firstFees, type Fees } from './fees.js';

const LIMITS_OF_ONE = { floor: 1n, ceiling: 1_000n };
const LIMITS = { floor: 10n, ceiling: 1_000n };

describe('The fees of a first attempt', () => {
  it('outlast some full blocks, with the suggested priority fee', () => {
    expect(firstFees({ baseFee: 100n, suggested: 20n }, LIMITS)).toEqual({ maxFee: 220n, priorityFee: 20n });
  });

  it('are one price where there is no base fee', () => {
    expect(firstFees({ baseFee: null, suggested: 50n }, LIMITS)).toEqual({ maxFee: 50n, priorityFee: null });
  });

  it('are not below the floor', () => {
    expect(firstFees({ baseFee: 100n, suggested: 0n }, LIMITS).priorityFee).toBe(10n);
    expect(firstFees({ baseFee: null, suggested: 3n }, LIMITS).maxFee).toBe(10n);
  });

  it('are not above the ceiling, whatever the market is', () => {
    expect(firstFees({ baseFee: 9_000n, suggested: 5_000n }, LIMITS)).toEqual({
      maxFee: 1_000n,
      priorityFee: 1_000n,
    });
    expect(firstFees({ baseFee: null, suggested: 5_000n }, LIMITS).maxFee).toBe(1_000n);
  });
});

describe('Bumped fees', () => {
  /** A tenth more, rounded up, in each part, and more at all: what every client asks for. */
  const isAccepted = (last: Fees, next: Fees) =>
    next.maxFee * 10n >= last.maxFee * 11n &&
    next.maxFee > last.maxFee &&
    (last.priorityFee === null ||
      (next.priorityFee! * 10n >= last.priorityFee * 11n && next.priorityFee! > last.priorityFee));

  it.each([0n, 1n, 2n, 7n, 8n, 9n, 79n, 88n])('are a replacement that clients take, from %s on', (fee) => {
    const calm = { baseFee: fee + 51n, suggested: fee };
    const limits = { floor: 0n, ceiling: 10n ** 12n };
    for (const last of [
      { maxFee: fee, priorityFee: fee },
      { maxFee: fee + 50n, priorityFee: fee },
      { maxFee: fee, priorityFee: null },
    ]) {
      const next = bumpedFees(last, calm, limits)!;
      expect([isAccepted(last, next), (next.priorityFee ?? 0n) <= next.maxFee]).toEqual([true, true]);
    }
  });

  it('follow the market where that is higher', () => {
    const bumped = bumpedFees({ maxFee: 100n, priorityFee: 10n }, { baseFee: 300n, suggested: 40n }, LIMITS);
    expect(bumped).toEqual({ maxFee: 640n, priorityFee: 40n });
  });

  it.each([
    ['it offers the base fee and the suggested tip', { baseFee: 90n, suggested: 10n }],
    ['the market has fallen', { baseFee: 1n, suggested: 1n }],
    ['nodes suggest one price, as without a base fee', { baseFee: null, suggested: 100n }],
  ])('are none where %s', (_, market) => {
    expect(bumpedFees({ maxFee: 100n, priorityFee: 10n }, market, LIMITS)).toBeNull();
  });

  it.each([
    ['what it offers in all', { baseFee: 91n, suggested: 10n }],
    ['its tip', { baseFee: 10n, suggested: 11n }],
  ])('are there where the market is above %s', (_, market) => {
    expect(bumpedFees({ maxFee: 100n, priorityFee: 10n }, market, LIMITS)).not.toBeNull();
  });

  it('have a tip of three times what is suggested at most', () => {
    const limits = { floor: 1n, ceiling: 10n ** 12n };
    let last: Fees = { maxFee: 220n, priorityFee: 100n };

    for (let baseFee = 1_000n; baseFee < 10n ** 9n; baseFee *= 3n)
      last = bumpedFees(last, { baseFee, suggested: 100n }, limits) ?? last;

    expect(last.priorityFee).toBeGreaterThan(200n);
    expect(last.priorityFee).toBeLessThanOrEqual(300n);
  });

  it('allows a tip of up to three times the suggested tip', () => {
    const market = { baseFee: 100n, suggested: 3n };

    expect(bumpedFees({ maxFee: 20n, priorityFee: 8n }, market, LIMITS_OF_ONE)?.priorityFee).toBe(9n);
    expect(bumpedFees({ maxFee: 20n, priorityFee: 9n }, market, LIMITS_OF_ONE)).toBeNull();
  });

  it('follow a market for hours without ever paying a multiple of it', () => {
    forEachSeed(200, (random) => {
      const limits = { floor: 1_000_000n, ceiling: 500n * 10n ** 9n };
      let last: Fees = { maxFee: 3n * 10n ** 9n, priorityFee: 10n ** 9n };
      for (let block = 0; block < 200; block += 1) {
        const market = {
          baseFee: BigInt(random.whole(1, 40)) * 10n ** 9n,
          suggested: BigInt(random.whole(1, 3)) * 10n ** 9n,
        };
        last = bumpedFees(last, market, limits) ?? last;
      }
      // Fees never fall, so that the last ones are the highest.
      expect(last.priorityFee).toBeLessThanOrEqual(9n * 10n ** 9n);
      expect(last.maxFee).toBeLessThanOrEqual(100n * 10n ** 9n);
    });
  });

  it('end at the ceiling: there are none where the least step is above it', () => {
    const market = { baseFee: 5_000n, suggested: 10n };
    expect(bumpedFees({ maxFee: 880n, priorityFee: 10n }, market, LIMITS)?.maxFee).toBe(1_000n);
    expect(bumpedFees({ maxFee: 900n, priorityFee: 10n }, market, LIMITS)).toBeNull();
  });

  it('are such a replacement from any market to any other, until the ceiling', () => {
    forEachSeed(500, (random) => {
      const limits = { floor: BigInt(random.whole(0, 50)), ceiling: BigInt(random.whole(60, 5_000)) };
      const market = () => ({
        baseFee: BigInt(random.whole(0, 3_000)),
        suggested: BigInt(random.whole(0, 300)),
      });
      let last = firstFees(market(), limits);

      for (let block = 0; block < 30; block += 1) {
        const next = bumpedFees(last, market(), limits);
        if (next === null) continue;
        expect([isAccepted(last, next), next.priorityFee! <= next.maxFee]).toEqual([true, true]);
        expect(next.maxFee).toBeLessThanOrEqual(limits.ceiling);
        last = next;
      }
    });
  });
});
