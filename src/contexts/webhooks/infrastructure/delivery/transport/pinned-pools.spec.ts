import { afterEach, describe, expect, it } from '@jest/globals';
import { PinnedPools } from './pinned-pools.js';

const pools = new PinnedPools({
  maxPools: 2,
  connectionsPerPool: 1,
  certificateAuthorities: [],
});

describe('The set of connection pools', () => {
  afterEach(() => pools.destroy());

  it('has one pool for each origin and address, and closes the least recently used', () => {
    const a = pools.pool('https://a.example', '93.184.215.14');
    const b = pools.pool('https://b.example', '93.184.215.14');
    const used = pools.pool('https://a.example', '93.184.215.14');
    const moved = pools.pool('https://a.example', '93.184.215.15');

    expect(used).toBe(a);
    expect(moved).not.toBe(a);
    expect(pools.size).toBe(2);
    expect(b.closed).toBe(true);
    expect(a.closed).toBe(false);
  });
});
