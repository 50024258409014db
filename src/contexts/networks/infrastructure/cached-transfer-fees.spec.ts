import { setImmediate as soon } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ChainTypes, type TransferFeeEstimates, TransferFeeEstimator } from '../application/chain-types.js';
import { ChainUnavailable } from '../contract/chain-reader.js';
import { MemoryChain } from '../testing/memory-chain.js';
import { MEMORY_COIN, MEMORY_CONFIGURATION, MemoryChainType } from '../testing/memory-chain-type.js';
import { CachedTransferFees } from './cached-transfer-fees.js';

const MINUTE = 60_000;
const coin = { symbol: 'MEM', decimals: 6 };

/** A node whose gas price the test sets; null while it does not answer. */
class SetPricing extends TransferFeeEstimator {
  price: bigint | null = 1n;
  asked = 0;

  async estimate(network: string): Promise<TransferFeeEstimates> {
    this.asked += 1;
    if (this.price === null) throw new ChainUnavailable(network, 'the node does not answer.');
    return { coin, native: this.price * 2n, token: this.price * 6n };
  }
}

let pricing: SetPricing;
let fees: CachedTransferFees;
let time: number;

beforeEach(() => {
  const family = new MemoryChainType(new MemoryChain('MEM', new Date('2030-01-01T00:00:00Z')));
  pricing = new SetPricing();
  family.transferPricing = pricing;
  time = 0;
  fees = new CachedTransferFees(new ChainTypes([MEMORY_CONFIGURATION], [family]), () => time);
});

/** Returns the cached fee after the refresh that the first query starts. */
async function knownSoon() {
  fees.cachedFee(MEMORY_COIN);
  await soon();
  return fees.cachedFee(MEMORY_COIN);
}

describe('The fee of a transfer', () => {
  it('is requested at most once a minute', async () => {
    for (time = 0; time < MINUTE; time += 1_000) await knownSoon();
    expect(pricing.asked).toBe(1);

    pricing.price = 5n;
    time = MINUTE;
    expect(fees.cachedFee(MEMORY_COIN)).toEqual({ amount: 2n, coin });
    await soon();
    expect(fees.cachedFee(MEMORY_COIN)).toEqual({ amount: 10n, coin });
    expect(pricing.asked).toBe(2);
  });

  it('is unknown while no node answers, and no longer shown once it is old', async () => {
    await knownSoon();
    pricing.price = null;

    time = 9 * MINUTE;
    expect(await knownSoon()).toEqual({ amount: 2n, coin });
    time = 10 * MINUTE;
    expect(await knownSoon()).toBeUndefined();
    pricing.price = 1n;
    time = 11 * MINUTE;
    expect(await knownSoon()).toEqual({ amount: 2n, coin });
  });
});
