import { describe, expect, it } from '@jest/globals';
import { waitForChainTime } from './send-plan.js';

const UNTIL = new Date('2030-01-01T00:08:00Z');

/** A chain whose newest block has these times, one look after the other; undefined: it does not answer. */
function chainAt(...seconds: (number | undefined)[]) {
  let looks = 0;
  return {
    looks: () => looks,
    chainTime: async () => {
      const offset = seconds[Math.min(looks, seconds.length - 1)];
      looks += 1;
      if (offset === undefined) throw new Error('away');
      return new Date(UNTIL.getTime() + offset * 1_000);
    },
  };
}

describe('Waiting for the chain’s clock', () => {
  it('ends with the first block that is late enough, also after one that was not to be had', async () => {
    const chain = chainAt(-2, undefined, 0);

    await waitForChainTime(chain, UNTIL);

    expect(chain.looks()).toBe(3);
  });

  it('gives up a chain that has been silent for too long', async () => {
    await expect(waitForChainTime(chainAt(undefined), UNTIL, 0)).rejects.toThrow('nothing was sent');
  });
});
