import { describe, expect, it } from '@jest/globals';
import { HeldTransactions } from './held-transactions.js';

const lists = (...each: readonly (readonly string[])[]) => new Map(each.map((list, i) => [i, list]));

describe('The list of held transactions to examine', () => {
  it('contains the newest first, equally by endpoint, and last those that were not shown', () => {
    const held = new HeldTransactions();
    held.listed(lists(['a', 'b'], ['c', 'd', 'e', 'f']), []);
    const first = held.take(2);
    held.settle(first, [], []);

    expect(first).toEqual(['f', 'b']);
    expect(held.take(3)).toEqual(['e', 'd', 'a']);
    expect([held.hasMoreOf(0), held.hasMoreOf(1)]).toEqual([true, true]);
  });

  it('contains a transaction again when another endpoint lists it', () => {
    const held = new HeldTransactions();
    held.listed(lists(['a']), []);
    held.settle(held.take(1), [], [['a', 0]]);
    held.listed(lists(['a']), []);
    expect(held.hasMore).toBe(false);
    held.listed(lists(['a'], ['a']), []);

    expect(held.take(9)).toEqual(['a']);
    expect([held.isShownBy('a', 0), held.isShownBy('a', 1)]).toEqual([false, true]);
  });

  it('contains a transaction again when an endpoint lists it after it was missing', () => {
    const held = new HeldTransactions();
    held.listed(lists(['a'], ['a']), []);
    held.settle(held.take(1), [], [['a', 0]]);
    held.listed(lists([], ['a']), []);
    held.listed(lists(['a'], ['a']), []);

    expect([held.isShownBy('a', 0), held.unshownBy(0)]).toEqual([true, 0]);
  });

  it('keeps transactions of an endpoint that no longer responds', () => {
    const held = new HeldTransactions();
    held.listed(lists(['a'], ['b']), []);
    held.settle(held.take(2), ['a', 'b'], []);
    held.listed(new Map([[1, ['b']]]), [0]);

    expect(held.presence([0, 1])('a')).toBe(true);
    expect(held.presence([1])('a')).toBe(false);
    held.listed(lists(['a'], ['b']), []);
    expect(held.hasMore).toBe(false);
  });
});
