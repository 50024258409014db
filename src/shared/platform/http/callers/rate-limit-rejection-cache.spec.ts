import { describe, expect, it } from '@jest/globals';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { RateLimitRejectionCache } from './rate-limit-rejection-cache.js';

describe('A recent refusal', () => {
  it('is repeated for its caller without another count, unlike other errors', async () => {
    const refusals = new RateLimitRejectionCache(60_000);
    let counts = 0;
    const ask = (key: string, error: Error) =>
      refusals
        .runUnlessRefused(key, async () => {
          counts += 1;
          throw error;
        })
        .catch((thrown: unknown) => thrown);
    const [limited, broken] = [new RateLimited(5), new Error('broken')];

    expect([await ask('a', broken), await ask('a', limited), await ask('a', broken)]).toEqual([
      ...[broken, limited, limited],
    ]);
    expect([await ask('b', broken), counts]).toEqual([broken, 3]);
  });
});
