import { describe, expect, it } from '@jest/globals';
import { refusalOfGas, refusalOfPrice, refusalToReserve, replacingFees } from './fees.js';

const limits = { floor: 1n, ceiling: 10n };

describe('A call that nodes can take', () => {
  it.each([
    ['as much gas as a block holds', 100n, 100n, null],
    ['more', 101n, 100n, /101 gas, but nodes accept at most 100 gas/],
    ['as much as EIP-7825 lets a transaction have', 2n ** 24n, 2n ** 26n, null],
    ['more than that in a larger block', 2n ** 24n + 1n, 2n ** 26n, /at most 16777216 gas/],
  ])('may use %s', (_, gas, block, says) => {
    const refusal = refusalOfGas(gas, block);

    if (says === null) expect(refusal).toBeNull();
    else expect(refusal?.message).toMatch(says);
  });

  it.each([
    ['the base fee and the least priority fee', { baseFee: 9n, suggested: 99n }, null],
    ['a base fee that leaves no room for it', { baseFee: 10n, suggested: 0n }, /require 11 wei.* at most 10/],
    ['the one price there is', { baseFee: null, suggested: 10n }, null],
    ['a higher one', { baseFee: null, suggested: 11n }, /require 11 wei/],
  ])('is paid for below the ceiling by %s', (_, market, says) => {
    const refusal = refusalOfPrice(market, limits);

    if (says === null) expect(refusal).toBeNull();
    else expect(refusal?.message).toMatch(says);
  });
});

describe('The ceiling of fees', () => {
  it('allows a first offer at the ceiling, and none above it', () => {
    const market = { baseFee: 4n, suggested: 2n };

    expect(refusalToReserve(market, limits)).toBeNull();
    expect(refusalToReserve(market, { ...limits, ceiling: 9n })?.message).toContain(
      'The first offer would be 10 wei',
    );
  });

  it('allows a replacement at the ceiling, and none above it', () => {
    const last = { maxFee: 8n, priorityFee: 1n };
    const market = { baseFee: 1n, suggested: 1n };

    expect(replacingFees(last, market, { ...limits, ceiling: 9n })).toEqual({ maxFee: 9n, priorityFee: 2n });
    expect(replacingFees(last, market, { ...limits, ceiling: 8n })).toBeNull();
  });
});
