import { describe, expect, it } from '@jest/globals';
import { RecentlyUsed } from './recently-used.js';

describe('What was used recently', () => {
  it('stays, and what was used longest ago gives way', () => {
    const kept = new RecentlyUsed<number>(2);
    kept.set('old', 1);
    kept.set('new', 2);

    kept.get('old');
    kept.set('newest', 3);

    expect([kept.get('old'), kept.get('new'), kept.get('newest')]).toEqual([1, undefined, 3]);
  });

  it('is as much as fits, however often the same is set', () => {
    const kept = new RecentlyUsed<number>(2);
    kept.set('one', 1);
    kept.set('two', 2);
    kept.set('two', 3);

    expect([kept.get('one'), kept.get('two')]).toEqual([1, 3]);
  });
});
