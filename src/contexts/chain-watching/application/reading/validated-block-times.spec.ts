import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '#shared/kernel/clock.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { SameChain } from '#contexts/networks/testing/same-chain.js';
import { ChainModel } from '../../testing/chain-model.js';
import { NETWORK, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import { ValidatedBlockTimes } from './validated-block-times.js';

/** Far ahead of the real time, because only the clock of the service may matter. */
const NOW = new Date('2126-03-01T12:00:00Z');
const MAX_LAG_SECONDS = 300;

class SetClock extends Clock {
  time = NOW;

  now(): Promise<Date> {
    return Promise.resolve(this.time);
  }
}

const timeAfterNow = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

let clock: SetClock;
let reader: ChainModel;
let times: ValidatedBlockTimes;
beforeEach(() => {
  clock = new SetClock();
  reader = new ChainModel(NOW, null, 12);
  const [network] = new SmallCatalogue().networks();
  const catalogue = new SmallCatalogue([{ ...network!, maxLagSeconds: MAX_LAG_SECONDS }]);
  times = new ValidatedBlockTimes(new SameChain({ reader }), catalogue, clock);
});

/**
 * @param seconds seconds from now to the timestamp of each block
 * @returns the number of accepted blocks
 */
async function countAcceptedBlocks(seconds: readonly number[], parent = -600): Promise<number> {
  const blocks = seconds.map((each, at) => ({
    header: { number: 7 + at, hash: `0x${at}`, parentHash: `0x${at - 1}`, time: timeAfterNow(each) },
  }));
  const near = await times.validate(NETWORK, timeAfterNow(parent), blocks);
  expect(near).toEqual(blocks.slice(0, near.length));
  return near.length;
}

describe('The time of a block', () => {
  it.each([
    ['days ago, as while catching up', [-400_000, -300_000, -1], 3],
    ['as far ahead of the clock as a head may lie behind it', [0, MAX_LAG_SECONDS], 2],
    ['of its parent, where a chain has several in a second', [-600, -600, -599], 3],
  ])('is accepted if it is plausible: %s', async (_, seconds, count) => {
    expect(await countAcceptedBlocks(seconds, Math.min(-600, ...seconds))).toBe(count);
    expect(reader.doubted).toEqual([]);
  });

  it.each([
    ['further ahead', [-12, 0, MAX_LAG_SECONDS + 1], 2],
    ['in another century, with those after it', [-12, 2_400_000_000, 2_400_000_012], 1],
    ['earlier than its parent', [-12, -13, 0], 1],
    ['earlier than its parent, before one further ahead', [-12, -13, 1_000], 1],
  ])('is rejected together with later blocks if it is not plausible: %s', async (_, seconds, count) => {
    expect(await countAcceptedBlocks(seconds)).toBe(count);
    expect(reader.doubted).toEqual([]);
  });

  it.each([
    ['ahead', [1_000], 'block 7 is 1000 s ahead of the service’s clock; the limit is max_lag_seconds (300).'],
    ['earlier than its parent', [-601], 'block 7 is earlier than its parent.'],
  ])('makes the endpoint doubtful if the next block is %s', async (_, seconds, reason) => {
    await expect(countAcceptedBlocks(seconds)).rejects.toEqual(new ChainUnavailable(NETWORK, reason));

    expect(reader.doubted).toEqual([reason]);
  });

  it('is accepted later, when the clock has come closer', async () => {
    await expect(countAcceptedBlocks([1_000])).rejects.toBeInstanceOf(ChainUnavailable);

    clock.time = timeAfterNow(700);

    expect(await countAcceptedBlocks([1_000])).toBe(1);
  });
});
